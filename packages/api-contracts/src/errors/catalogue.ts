/** One entry of the catalogue: what a person and a program are told, and nothing else. */
export interface ErrorDefinition {
  readonly status: number
  /** Who can mend it: the caller, the operator of this process, or the one who runs what it depends on. */
  readonly category: 'caller' | 'access' | 'operator' | 'dependency' | 'internal'
  readonly message: { readonly en: string; readonly zh: string }
}

/**
 * Every error that leaves the process. Codes are never renamed; docs/errors.md is proved equal to this list by a test.
 * A thrower may replace a message by one that is as safe: details go to `details` or to the log.
 */
export const errorCatalogue = {
  VALIDATION_FAILED: {
    status: 400,
    category: 'caller',
    message: { en: 'The request is not valid.', zh: '请求无效。' }
  },
  AUTH_REQUIRED: { status: 401, category: 'access', message: { en: 'Sign in first.', zh: '请先登录。' } },
  AUTH_FORBIDDEN: {
    status: 403,
    category: 'access',
    message: { en: 'You may not read what was asked for.', zh: '无权访问所请求的内容。' }
  },
  NOT_FOUND: { status: 404, category: 'caller', message: { en: 'It does not exist.', zh: '所请求的内容不存在。' } },
  METHOD_NOT_ALLOWED: {
    status: 405,
    category: 'caller',
    message: { en: 'This address does not take this method.', zh: '该地址不支持此请求方法。' }
  },
  CONFLICT: { status: 409, category: 'caller', message: { en: 'It exists already.', zh: '已存在。' } },
  DATA_LOCKED: {
    status: 409,
    category: 'operator',
    message: { en: 'Another process is indexing into this data folder.', zh: '另一个进程正在写入该数据目录。' }
  },
  PAYLOAD_TOO_LARGE: { status: 413, category: 'caller', message: { en: 'It is too large.', zh: '内容过大。' } },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    category: 'caller',
    message: { en: 'This type of content is not supported.', zh: '不支持该类型的内容。' }
  },
  DOCUMENT_UNREADABLE: {
    status: 422,
    category: 'caller',
    message: { en: 'The document could not be read.', zh: '无法读取该文档。' }
  },
  PATH_UNREADABLE: {
    status: 422,
    category: 'caller',
    message: { en: 'The path could not be read.', zh: '无法读取该路径。' }
  },
  NOTHING_TO_INDEX: {
    status: 422,
    category: 'caller',
    message: { en: 'There is no document to index.', zh: '没有可索引的文档。' }
  },
  RATE_LIMITED: { status: 429, category: 'caller', message: { en: 'Too many requests.', zh: '请求过于频繁。' } },
  CANCELLED: {
    status: 499,
    category: 'caller',
    message: { en: 'It was stopped before it ended.', zh: '操作在完成前被停止。' }
  },
  INTERNAL: { status: 500, category: 'internal', message: { en: 'Something went wrong here.', zh: '内部错误。' } },
  CONFIG_INVALID: {
    status: 500,
    category: 'operator',
    message: { en: 'The configuration is not valid.', zh: '配置无效。' }
  },
  DATA_FORMAT_NEWER: {
    status: 500,
    category: 'operator',
    message: { en: 'The data folder was written by a newer version.', zh: '数据目录由更新的版本写入。' }
  },
  DATA_CORRUPT: {
    status: 500,
    category: 'operator',
    message: { en: 'The data folder is damaged.', zh: '数据目录已损坏。' }
  },
  STORAGE_FULL: { status: 507, category: 'operator', message: { en: 'No space is left.', zh: '存储空间不足。' } },
  INDEX_MODEL_MISMATCH: {
    status: 503,
    category: 'operator',
    message: { en: 'The index was made with another embedding model.', zh: '索引由另一个向量模型生成。' }
  },
  LIMIT_REACHED: {
    status: 503,
    category: 'operator',
    message: { en: 'A limit was reached before it ended.', zh: '在完成之前达到了限制。' }
  },
  SYSTEM_UNAVAILABLE: {
    status: 503,
    category: 'dependency',
    message: { en: 'The service is temporarily unavailable.', zh: '服务暂时不可用。' }
  }
} as const satisfies Record<string, ErrorDefinition>

export type ErrorCode = keyof typeof errorCatalogue
