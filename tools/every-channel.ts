/** A configuration with every kind of channel, and what is off or otherwise by default: for checks of what is deployed. */
export const everyChannel = {
  monitoring: { enabled: false },
  notifications: { digest: 'none', emails: ['storage@example.com'] },
  channels: {
    slack: { kind: 'slack-webhook', quietHours: { from: '22:00', to: '07:00', timeZone: 'Europe/Berlin' } },
    dba: { kind: 'slack-bot', channel: 'C0123456789', buttons: true },
    office: { kind: 'teams', maxMessagesPerHour: 10 },
    chat: { kind: 'amazon-q' },
    mail: { kind: 'sns', emails: ['dba@example.com', 'on-call@example.com'] },
    bus: { kind: 'eventbridge', bus: 'storage' },
  },
  routes: [
    { to: ['slack', 'dba'], minSeverity: 'critical' },
    { to: ['office', 'chat', 'mail', 'bus'], tags: { team: 'payments' }, alarms: false },
  ],
  budget: { apiUsdPerMonth: 20 },
  report: { links: true },
} as const;

/** Accounts that somebody must list, and their Regions. */
export const organization = {
  organization: {
    ...{ organizationalUnits: ['ou-ab12-11111111'], exclude: ['999988887777'] },
    ...{ externalId: 'of-the-members', regions: 'enabled' },
  },
  functions: { reserveConcurrency: true },
} as const;

/** All that a configuration can ask for of one account, at once: both stacks. */
export const everything = {
  ...everyChannel,
  ...{ monitoring: {}, notifications: {} },
  benchmark: { vpcId: 'vpc-12345678', subnetIds: ['subnet-12345678', 'subnet-87654321'] },
  audit: { hostDiscovery: true },
  archive: {},
  functions: { reserveConcurrency: true },
  keep: { removalPolicy: 'destroy' },
} as const;
