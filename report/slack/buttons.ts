/** What the buttons of a finding are called, to who draws them and to who obeys them. */
export const buttons = {
  mute: 'stripewise-mute',
  acknowledge: 'stripewise-acknowledge',
  open: 'stripewise-open',
} as const;

/** How long the button mutes. */
export const muteDays = 7;
