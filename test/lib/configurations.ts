/** The configurations that the tests of the stack assert on. Each is synthesized once: `synthesized(name)`. */
import { everyChannel, everything, organization } from '../../tools/every-channel.ts';

/** Where hosts of campaigns are. */
const network = everything.benchmark;

export const configurations = {
  usual: {},
  everyChannel,
  /** Every function but those of the benchmark: the one that empties the bucket is there only where the bucket goes with the stack. */
  everyFunction: {
    ...everyChannel,
    ...{ monitoring: {}, notifications: {} },
    keep: { logsDays: 60, removalPolicy: 'destroy' },
  },
  everything,
  /** Reports are opened by links, and nothing else is other than by default. */
  linked: { report: { links: true } },
  botWithoutButtons: { channels: { dba: { kind: 'slack-bot', channel: 'C0123456789' } } },
  /** Several accounts: functions that enter them. */
  askingHosts: { audit: { hostDiscovery: true } },
  /** What other services recommend is read. */
  comparing: { audit: { compareWith: ['compute-optimizer', 'cost-optimization-hub'] } },
  comparingOne: { audit: { compareWith: ['compute-optimizer'] } },
  benchmark: { benchmark: network },
  benchmarkWithValues: {
    benchmark: {
      ...{ ...network, maxCostUsd: 3, label: 'emulated' },
      kmsKeyArn: 'arn:aws:kms:us-east-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab',
    },
  },
  /** What is on by default is off; audits are as rare as is allowed. */
  least: {
    ...{ monitoring: { enabled: false }, notifications: { digest: 'none' } },
    ...{ audit: { everyHours: 48 }, budget: { apiUsdPerMonth: null } },
  },
  /** As often as can be, and all goes to a bus of another account. */
  often: {
    ...{ audit: { everyHours: 1 }, monitoring: { everyMinutes: 2 } },
    channels: {
      bus: { kind: 'eventbridge', bus: 'arn:aws:events:eu-west-1:444455556666:event-bus/central' },
    },
  },
  /** Many accounts, which somebody must list, and their Regions. */
  organization,
  /** Many accounts, that the configuration names. */
  listedAccounts: {
    organization: {
      ...{ accounts: ['111122223333', '444455556666'], externalId: 'of-the-members' },
      memberRoleName: 'Reader',
    },
    budget: { accounts: [{ accounts: ['444455556666'], apiUsdPerMonth: 5 }] },
  },
  /** An archive, and all else by default. */
  archive: { archive: {} },
  /** All goes with the stack, the archive too. Minutes are kept too short for cheaper storage. */
  shortArchive: {
    archive: { metrics: 'all', keepDays: 45, maxQueryGiB: 0.5 },
    ...{ regions: ['eu-west-1', 'eu-west-3'], keep: { removalPolicy: 'destroy' } },
  },
  /** Nobody knows all accounts and Regions. */
  archiveOfOrganization: { ...organization, archive: {} },
  /** Accounts that the configuration names, one of which it leaves out. */
  archiveOfAccounts: {
    archive: {},
    organization: {
      ...{ accounts: ['111122223333', '444455556666', '999988887777'], exclude: ['999988887777'] },
      ...{ externalId: 'of-the-members', regions: ['eu-west-1', 'us-east-1'] },
    },
  },
  /** Volumes are changed: by people in Slack, by roles, and by a rule. */
  changes: {
    archive: {},
    channels: { dba: { kind: 'slack-bot', channel: 'C0123456789', buttons: true } },
    changes: {
      approvers: {
        slackUsers: ['U0123456789'],
        roles: ['arn:aws:iam::111122223333:role/teams/dba'],
      },
    },
  },
  /** The section is there, and off. */
  changesOff: { archive: {}, changes: { enabled: false, approvers: { slackUsers: ['U0123456789'] } } },
  /** Of several accounts. */
  changesOfOrganization: {
    ...organization,
    archive: {},
    changes: { approvers: { roles: ['arn:aws:iam::111122223333:role/dba'] } },
  },
  /** Whatever has a default has another value. No channel has pictures. */
  otherValues: {
    regions: ['eu-west-1', 'eu-west-3'],
    audit: { everyHours: 6, batchesAtOnce: 7, maxQuotaPercent: 90 },
    monitoring: { everyMinutes: 5 },
    notifications: {
      ...{ minSeverity: 'critical', retentionDays: 30, digest: 'daily', digestAt: '18:30' },
      emails: ['storage@example.com'],
    },
    alarms: { emails: ['on-call@example.com'] },
    channels: {
      slack: { kind: 'slack-webhook' },
      dba: { kind: 'slack-bot', channel: 'C0123456789', charts: false, buttons: true },
      office: { kind: 'teams' },
    },
    exclude: { tags: { environment: 'test' } },
    thresholds: { throttledWarningMinutes: 10 },
    budget: { apiUsdPerMonth: 12.5 },
    report: { links: true, linkDays: 7 },
    keep: { logsDays: 7, workDays: 3, runsDays: 90 },
  },
} as const satisfies Record<string, object>;

export type ConfigurationName = keyof typeof configurations;

/** Those that the plain template is built of, too. */
export const plainConfigurations = [
  'usual',
  'everything',
  'otherValues',
  'organization',
] as const satisfies ConfigurationName[];
export type PlainConfigurationName = (typeof plainConfigurations)[number];
