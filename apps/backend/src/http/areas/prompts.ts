import { routes } from '@oncall-agent/api-contracts'
import { addRoute, type RouteHost } from '../add-route.ts'
import type { HttpDependencies } from '../dependencies.ts'

type Prompts = HttpDependencies['prompts']

/** What agents are told first, and the procedures that they can load. */
export function addPromptRoutes(
  host: RouteHost,
  { prompts: { prompts, skills } }: { readonly prompts: Prompts }
): void {
  addReading(host, prompts)
  addWriting(host, prompts)
  addSkillReading(host, skills)
  addSkillWriting(host, skills)
}

function addReading(host: RouteHost, prompts: Prompts['prompts']): void {
  addRoute(host, routes.prompts, async ({ query }, { caller }) => ({ body: await prompts.list(caller, query) }))
  addRoute(host, routes.exportPrompts, async (_input, { caller }) => ({ body: await prompts.export(caller) }))
  addRoute(host, routes.prompt, async ({ params }, { caller }) => ({ body: await prompts.get(caller, params.id) }))
  addRoute(host, routes.promptVersions, async ({ params, query }, { caller }) => ({
    body: await prompts.versions(caller, params.id, query)
  }))
  addRoute(host, routes.promptVersion, async ({ params }, { caller }) => ({
    body: await prompts.version(caller, params.id, Number(params.version))
  }))
}

function addWriting(host: RouteHost, prompts: Prompts['prompts']): void {
  addRoute(host, routes.createPrompt, async ({ body }, { caller }) => ({ body: await prompts.create(caller, body) }))
  addRoute(host, routes.importPrompts, async ({ body }, { caller }) => ({ body: await prompts.import(caller, body) }))
  addRoute(host, routes.changePrompt, async ({ params, body }, { caller }) => ({
    body: await prompts.change(caller, params.id, body)
  }))
  addRoute(host, routes.deletePrompt, async ({ params }, { caller }) => {
    await prompts.remove(caller, params.id)
    return {}
  })
}

function addSkillReading(host: RouteHost, skills: Prompts['skills']): void {
  addRoute(host, routes.skills, async ({ query }, { caller }) => ({ body: await skills.list(caller, query) }))
  addRoute(host, routes.exportSkills, async (_input, { caller }) => ({ body: await skills.export(caller) }))
  addRoute(host, routes.skill, async ({ params }, { caller }) => ({ body: await skills.get(caller, params.id) }))
  addRoute(host, routes.skillVersions, async ({ params, query }, { caller }) => ({
    body: await skills.versions(caller, params.id, query)
  }))
  addRoute(host, routes.skillVersion, async ({ params }, { caller }) => ({
    body: await skills.version(caller, params.id, Number(params.version))
  }))
}

function addSkillWriting(host: RouteHost, skills: Prompts['skills']): void {
  addRoute(host, routes.createSkill, async ({ body }, { caller }) => ({ body: await skills.create(caller, body) }))
  addRoute(host, routes.importSkills, async ({ body }, { caller }) => ({ body: await skills.import(caller, body) }))
  addRoute(host, routes.changeSkill, async ({ params, body }, { caller }) => ({
    body: await skills.change(caller, params.id, body)
  }))
  addRoute(host, routes.deleteSkill, async ({ params }, { caller }) => {
    await skills.remove(caller, params.id)
    return {}
  })
}
