import type { Locale } from '../../../page/texts.ts'

/** What a team has written down, in its language; each of about one chunk, so that a question finds several of them. */
export const runbooks: Readonly<Record<Locale, Readonly<Record<RunbookName, string>>>> = {
  en: {
    'etcd-no-space': `# etcd database space exceeded

## First steps

The members answer \`mvcc: database space exceeded\` and refuse every write. Compact the history with
\`etcdctl compact\`, then run \`etcdctl defrag\` on one member after the other, the leader last.

## Afterwards

Disarm the alarm with \`etcdctl alarm disarm\`, and raise the quota only when the database grows by itself.
`,
    'connection-reset': `# E_CONN_RESET of the payment gateway

## What to do first

E_CONN_RESET means that the acquirer closed the connection. Look at the connection pool of pay-gateway, then restart
one replica. Never restart all replicas at once: the queue of payments would be lost.
`,
    'kafka-lag': `# Consumer lag in Kafka

## When the lag grows

Lag of the group order-writer above 50000 records means that the writers are too few. Scale order-writer to six
replicas, and wait until the rebalance is over before anything else is changed.
`,
    'pod-crash-loop': `# KubePodCrashLooping

## Why a pod restarts

Read the last state with \`kubectl describe pod\`. Exit code 137 is the memory limit, exit code 1 is the program itself.
Roll back the release when the pods of one version restart and those of the version before do not.
`,
    'disk-full': `# Disk full on a node

## Make room

Delete rotated logs below /var/log, then unused images with \`crictl rmi --prune\`. The node takes pods again when less
than 85 percent of its disk is used.
`,
    'certificate-expiry': `# Certificates that expire

## Renew them

Renew with \`kubeadm certs renew all\`, and restart the control plane. Clients keep the old certificate until they
connect again.
`,
    'redis-memory': `# Redis is out of memory

## Find what is large

Run \`redis-cli --bigkeys\` on a replica. Set the eviction policy to allkeys-lru only where every key can be made again.
`
  },
  zh: {
    'etcd-no-space': `# etcd 数据库空间已满

## 第一步

成员返回 \`mvcc: database space exceeded\`，即数据库空间已满，并拒绝所有写入。先用 \`etcdctl compact\` 压缩历史版本，
再逐个成员执行 \`etcdctl defrag\`，领导者放在最后。

## 之后

用 \`etcdctl alarm disarm\` 解除告警；只有数据库自身持续增长时才提高配额。
`,
    'connection-reset': `# 支付网关 E_CONN_RESET

## 先做什么

E_CONN_RESET 表示收单方关闭了连接。先检查 pay-gateway 的连接池，再重启一个副本。不要同时重启所有副本，否则支付队列会丢失。
`,
    'kafka-lag': `# Kafka 消费积压

## 积压增长时

消费组 order-writer 的积压超过 50000 条，说明写入者太少。把 order-writer 扩容到六个副本，等待再均衡结束后再做其他变更。
`,
    'pod-crash-loop': `# KubePodCrashLooping

## Pod 为什么重启

用 \`kubectl describe pod\` 查看上一次的状态。退出码 137 是内存上限，退出码 1 是程序自身出错。如果只有某一版本的 Pod
重启，而上一版本正常，就回滚该版本。
`,
    'disk-full': `# 节点磁盘已满

## 腾出空间

先删除 /var/log 下轮转出来的旧日志，再用 \`crictl rmi --prune\` 清理无用镜像。磁盘使用率低于 85% 后节点会重新接收 Pod。
`,
    'certificate-expiry': `# 证书即将过期

## 续期

用 \`kubeadm certs renew all\` 续期，然后重启控制面。客户端在重新连接之前仍使用旧证书。
`,
    'redis-memory': `# Redis 内存不足

## 找出大键

在副本上执行 \`redis-cli --bigkeys\`。只有每个键都能重新生成时，才把淘汰策略设为 allkeys-lru。
`
  }
}

export type RunbookName =
  | 'etcd-no-space'
  | 'connection-reset'
  | 'kafka-lag'
  | 'pod-crash-loop'
  | 'disk-full'
  | 'certificate-expiry'
  | 'redis-memory'

/** A knowledge base that nobody has put anything into. */
export const emptyBase: Readonly<Record<Locale, string>> = { en: 'Network team', zh: '网络组' }
export const filledBase: Readonly<Record<Locale, string>> = { en: 'Runbooks', zh: '处置手册' }
