/**
 * The language of whoever starts a program, as their environment names it: zh for a Chinese locale, English for every
 * other and for none. LC_ALL outweighs LC_MESSAGES, and that LANG, as POSIX has it.
 */
export function environmentLanguage(
  environment: Readonly<Record<string, string | undefined>> = process.env
): 'zh' | 'en' {
  const { LC_ALL, LC_MESSAGES, LANG } = environment
  const locale = [LC_ALL, LC_MESSAGES, LANG].find((value) => value !== undefined && value !== '') ?? ''
  return /^zh(?:[_.@-]|$)/i.test(locale) ? 'zh' : 'en'
}
