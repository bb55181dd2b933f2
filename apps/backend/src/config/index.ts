export { type DescribedSetting, describeSettings } from './describe-settings.ts'
export { type WrittenSettings, writeDataSettings } from './data-settings-file.ts'
export { loadSettings, type SettingIssue, type SettingsSources } from './load-settings.ts'
export type { Settings, SettingsOverrides } from './settings-schema.ts'
