import { calls } from '@oncall-agent/backend/chat-model-server'
import { expect } from 'vitest'
import {
  answersOf,
  askToEnd,
  cardsOf,
  drawerOf,
  look,
  markerNumbers,
  openChat,
  openMarker,
  storedAnswer
} from '../acts.ts'
import type { Dialogue } from '../dialogue.ts'
import { reads } from '../scripted-model.ts'

const CODE = `for broker in 1 2 3; do
  kafka-consumer-groups.sh --bootstrap-server "kafka-$broker.payments.svc.cluster.local:9092" --describe --group order-writer
done
kubectl scale deployment/order-writer --replicas 6`

const words = {
  en: {
    question: 'The lag of order-writer grows. Give me everything that we know, with the commands.',
    query: 'Kafka consumer lag of the group order-writer',
    answer: `## What happens

The lag of \`order-writer\` is above 50000 records [1]. While it grows, payments are delayed [2].

1. Look at the lag of every partition.
2. Scale the writers, and **wait for the rebalance** [3].
   - Change nothing else meanwhile.
   - A pod that restarts begins the rebalance again [4].

\`\`\`bash
${CODE}
\`\`\`

| What you see | What it means | What to do |
| --- | --- | --- |
| lag grows evenly | too few writers | scale order-writer to six replicas |
| one partition lags | one slow writer, or a node whose disk is full [5] | look at the node before anything else |
| lag does not move | nobody reads at all | read \`kubectl describe pod\` of the writers |

> Never restart all replicas at once.

Afterwards write down how long the rebalance took.`
  },
  zh: {
    question: 'order-writer 的积压在增长，请给出所有已知信息和命令。',
    query: 'Kafka 消费组 order-writer 的积压',
    answer: `## 现象

\`order-writer\` 的积压超过 50000 条 [1]。积压增长期间支付会延迟 [2]。

1. 查看每个分区的积压。
2. 扩容写入者，并**等待再均衡结束** [3]。
   - 期间不要做其他变更。
   - Pod 重启会让再均衡重新开始 [4]。

\`\`\`bash
${CODE}
\`\`\`

| 现象 | 含义 | 处置 |
| --- | --- | --- |
| 积压均匀增长 | 写入者太少 | 把 order-writer 扩容到六个副本 |
| 只有一个分区积压 | 某个写入者过慢，或其节点磁盘已满 [5] | 先检查该节点 |
| 积压不变 | 没有任何消费者 | 查看写入者的 \`kubectl describe pod\` |

> 不要同时重启所有副本。

结束后记录再均衡用了多长时间。`
  }
} as const

/** A long answer with all that an answer can have; and what a person thinks of it is kept. */
export const fiveSources: Dialogue = {
  name: 'a long answer with code, a table and five sources can be copied and judged, and the verdicts outlive a reload',
  play: async (scene) => {
    const w = words[scene.locale]
    const here = await scene.enter()
    const { page, texts } = here
    const { t } = texts
    scene.model.script(
      calls([{ name: 'knowledge_retrieval', arguments: { query: w.query } }]),
      reads(() => w.answer)
    )
    await openChat(here)
    const answer = await askToEnd(here, w.question)
    expect(await markerNumbers(answer)).toEqual([1, 2, 3, 4, 5])
    expect(await answer.locator('table tbody tr').count()).toBe(3)
    expect(await answer.getByRole('columnheader').count()).toBe(3)
    await answer.getByRole('button', { name: t('chat.copyCodeOf'), exact: true }).click()
    await page.getByText(t('common.copied')).first().waitFor()
    expect((await page.evaluate<string>('navigator.clipboard.readText()')).trim()).toBe(CODE)
    await look(here, 'chat-long')

    const { up, down } = { up: t('chat.verdicts.up'), down: t('chat.verdicts.down') }
    const verdict = answersOf(here, page).getByRole('group', { name: t('chat.answerHelped'), exact: true })
    await verdict.getByRole('button', { name: up, exact: true }).click()
    await verdict.getByText(t('chat.saved')).waitFor()
    await openMarker(here, answer, 5)
    expect(await cardsOf(here).count()).toBe(5)
    const card = cardsOf(here).filter({ has: page.locator('.citation-number', { hasText: '5' }) })
    await card.getByRole('button', { name: down, exact: true }).click()
    await card.getByText(t('chat.saved')).waitFor()
    // Far down in the drawer, the way out is still there.
    const box = await drawerOf(here)
      .getByRole('button', { name: t('common.close'), exact: true })
      .boundingBox()
    expect(box!.y).toBeGreaterThan(0)
    await look(here, 'chat-five-sources')

    await page.reload()
    const again = answersOf(here, page).first()
    await again.waitFor()
    const pressed = { pressed: true }
    await again.getByRole('button', { name: up, exact: true, ...pressed }).waitFor()
    expect(await again.getByRole('button', { name: down, exact: true, ...pressed }).count()).toBe(0)
    await openMarker(here, again, 5)
    await card.getByRole('button', { name: down, exact: true, ...pressed }).waitFor()
    expect(await cardsOf(here).getByRole('button', pressed).count()).toBe(1)
    const { content, sources, verdicts } = await storedAnswer(scene, here)
    expect(content).toBe(w.answer)
    expect(sources.filter(({ cited }) => cited)).toHaveLength(5)
    expect(verdicts).toEqual({ answer: 'up', citations: { [sources[4]!.id]: 'down' } })
  }
}
