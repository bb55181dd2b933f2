/** Parts of the settings, each at its own address. */
export type SettingsPart = 'account' | 'people' | 'models' | 'prompts' | 'skills' | 'servers'
