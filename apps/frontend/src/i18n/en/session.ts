export const session = {
  signIn: 'Sign in',
  signOut: 'Sign out',
  signOutFailed: 'Signing out failed. You are still signed in.',
  username: 'User name',
  password: 'Password',
  passwordAgain: 'Password again',
  passwordHint: 'At least {min} characters.',
  differs: 'The two passwords differ.',
  wrong: 'User name or password is wrong.',
  expired: 'Your session has ended. Sign in again to go on where you were.',
  unknown: 'The server did not say who you are.',
  firstTitle: 'Create the first account',
  firstText: 'No account exists yet. This one becomes the administrator, who can add other people.',
  create: 'Create account'
}
