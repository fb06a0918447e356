/** Findings of an account that was read and is not any more: refused they stay as they were, off the list they end; nobody hears of either. */
import type { AccountCoverage } from '../../../core/schemas/accounts.ts';
import type { AuditResult } from '../../../core/schemas/audit-result.ts';
import type { Severity } from '../../../core/schemas/finding.ts';
import { secondsPerDay } from '../../../core/units.ts';
import { anAccount, roleRefused } from '../../fixtures/accounts.ts';
import { aFinding, asRemembered, onVolume } from '../../fixtures/findings.ts';
import { World } from './world.ts';

const [kept, leaving] = ['111122223333', '222233334444'] as const;
const findingIn = (account: string, severity: Severity = 'warning') =>
  aFinding({ id: `of ${account}`, severity, resource: onVolume(`vol-${account}`, { account }) });

const read = (account: string) => anAccount({ account });
const refused = (account: string) =>
  anAccount({
    ...{ account, state: 'not-read', refused: roleRefused },
    regions: [{ region: 'us-east-1', whole: false, refused: roleRefused }],
  });
const coverage = (...accountCoverage: AccountCoverage[]): Partial<AuditResult> => ({
  ...{ accountCoverage, accountsLeft: [] },
});
const left: Partial<AuditResult> = {
  accountCoverage: [read(kept)],
  accountsLeft: [{ account: leaving, name: 'leaving', regions: ['us-east-1'] }],
};

let world: World;
beforeEach(async () => {
  world = new World();
  await run(coverage(read(kept), read(leaving)), kept, leaving);
});

/** The next day's run, which finds something in these accounts. */
function run(places: Partial<AuditResult>, ...accounts: string[]) {
  world.nowEpochSeconds += secondsPerDay;
  const findings = accounts.map((account) => findingIn(account));
  return world.run(`run-${world.nowEpochSeconds}`, findings, { places });
}
const levelIn = (account: string) => world.records.get(`of ${account}`)?.level;
const eventsIn = (account: string) => world.records.get(`of ${account}`)?.history.map(({ event }) => event);
const opened = [`of ${kept}: opened warning`, `of ${leaving}: opened warning`];

test('refused for a month it is open, neither resolved nor told again', async () => {
  for (let day = 0; day < 30; day++) await run(coverage(read(kept), refused(leaving)), kept);
  expect(levelIn(leaving)).toBe('warning');
  expect(eventsIn(leaving)).toEqual(['opened']);
  expect(world.changes).toEqual(opened);
});

test('off the list it ends with the first run, not as resolved, and nobody is told, however often it ticks', async () => {
  await run(left, kept);
  expect([levelIn(kept), levelIn(leaving)]).toEqual(['warning', null]);
  expect(eventsIn(leaving)).toEqual(['opened', 'no-longer-read']);
  await run({ ...left, accountsLeft: [] }, kept);
  await world.ticks(2 * secondsPerDay);
  expect(eventsIn(leaving)).toEqual(['opened', 'no-longer-read']);
  expect(world.changes).toEqual(opened);
});

test('it ends with a later run where the one that saw it leave could not tell the records', async () => {
  await run({ ...left, accountsLeft: [] }, kept);
  expect(levelIn(leaving)).toBeNull();
});

test('a run that asked for some of the accounts ends nothing of the others', async () => {
  await run({ accountCoverage: [read(kept)] }, kept);
  expect(levelIn(leaving)).toBe('warning');
});

test('an older run, of before the account was listed, ends nothing that was seen since', async () => {
  const endEpochSeconds = world.nowEpochSeconds - secondsPerDay;
  await world.run('late', [findingIn(kept)], { endEpochSeconds, places: { ...left, accountsLeft: [] } });
  expect(levelIn(leaving)).toBe('warning');
});

test('what monitoring saw since then ends a run later', async () => {
  await world.monitoring(`of ${leaving}`, asRemembered(findingIn(leaving)));
  const endEpochSeconds = world.nowEpochSeconds - 600;
  await world.run('same day', [findingIn(kept)], { endEpochSeconds, places: left });
  expect(levelIn(leaving)).toBe('warning');
  await run({ ...left, accountsLeft: [] }, kept);
  expect(levelIn(leaving)).toBeNull();
});

test('back on the list what is there is told as reopened', async () => {
  await run(left, kept);
  await run(coverage(read(kept), read(leaving)), kept, leaving);
  expect(eventsIn(leaving)).toEqual(['opened', 'no-longer-read', 'reopened']);
  expect(world.changes).toEqual([...opened, `of ${leaving}: reopened warning`]);
});

test('what was never told, as nobody listened, is not told when the account has left', async () => {
  world = new World();
  world.isAnybodyListening = false;
  await run(coverage(read(kept), read(leaving)), leaving);
  await run(left);
  world.isAnybodyListening = true;
  await world.ticks(secondsPerDay);
  expect(levelIn(leaving)).toBeNull();
  expect(world.changes).toEqual([]);
});
