/**
 * What functions, state machines, schedules and hosts of a local deployment asked of AWS, held against AWS's own models and limits
 * (local/requests), the roles that they have (IAM simulated), and policies of organizations.
 */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import type { About, Lookups } from '../../local/gateway/about.ts';
import { ensurePython } from '../../local/python.ts';
import { requestsIn, type Services } from '../../local/services.ts';
import { aboutsOf, type Recorded, uploadsOf, usualContext } from './abouts.ts';
import { type AskedWith, type DeployedRole, Deployment } from './deployed-roles.ts';
import { lookupsIn } from './lookups.ts';
import { organizations } from './organizations.ts';
import { decide } from './simulate.ts';

const root = join(__dirname, '../..');

const kindSchema = z.object({
  by: z.string(),
  call: z.string(),
  region: z.string(),
  parameters: z.record(z.string(), z.unknown()),
  text: z.string().optional(),
  count: z.number(),
});
const refusedSchema = z.object({ by: z.string(), call: z.string(), refused: z.string(), count: z.number() });

export interface Validated {
  kinds: Recorded[];
  /** One line each: who asks what, and why AWS would refuse it. */
  refused: string[];
}

/** @param directories with files that local/requests/record.cjs wrote. */
export async function validate(...directories: string[]): Promise<Validated> {
  const python = await ensurePython({ root, say: (line) => process.stderr.write(`${line}\n`) });
  const ran = await promisify(execFile)(python, [join(root, 'local/requests/validate.py'), ...directories], {
    maxBuffer: 1024 ** 3,
  });
  const lines = ran.stdout.split('\n').filter((line) => line !== '');
  const all = lines.map((line): unknown => JSON.parse(line));
  const isRefused = (one: unknown): boolean => refusedSchema.safeParse(one).success;
  return {
    kinds: all.filter((one) => !isRefused(one)).map((one) => kindSchema.parse(one)),
    refused: all.filter(isRefused).map((one) => {
      const { by, call, refused, count } = refusedSchema.parse(one);
      return `${by || 'the command line'} ${call} (${count}): ${refused}`;
    }),
  };
}

/** What roles allow, each as `ROLE ACTION RESOURCE`, and what of it a suite uses. */
const permissionsSchema = z.object({
  granted: z.record(z.string(), z.array(z.string())),
  seen: z.record(z.string(), z.array(z.string())),
});
export type Permissions = z.output<typeof permissionsSchema>;
const permissionsFile = join(__dirname, 'permissions.json');
export const readPermissions = (): Permissions =>
  permissionsSchema.parse(JSON.parse(readFileSync(permissionsFile, 'utf8')));

const sorted = (lines: Iterable<string>): string[] => [...new Set(lines)].sort();

interface Checked {
  requests: number;
  /** Of those that differ in who asks, what or with which parameters. */
  distinct: number;
  /** Why AWS would refuse something; none where all is well. */
  refused: string[];
  granted: string[];
  seen: string[];
  /** Of a line of these: whether its role is a function's. */
  isOfFunction: (line: string) => boolean;
}

/** All that was asked, once, with the role that it was asked with. */
async function askedOf(
  kinds: readonly Recorded[],
  deployment: Deployment,
  lookups: Lookups,
): Promise<AskedWith[]> {
  const ran = new Set(kinds.map(({ by }) => by));
  const all = [...deployment.schedules(), ...(await deployment.stateMachines(ran))].map(
    ({ roleName, about }): AskedWith => ({
      ...{ roleName, about: { ...about, context: { ...usualContext(), ...about.context } } },
    }),
  );
  const host = deployment.hostRole?.roleName;
  for (const kind of kinds) {
    const context = usualContext(kind.region);
    const withContext = (about: About): About => ({ ...about, context: { ...context, ...about.context } });
    const roleName = deployment.roleOfFunction.get(kind.by);
    // The command line runs as whoever calls it; a function that a test deleted has no role.
    if (roleName !== undefined) {
      const abouts = await aboutsOf(kind, lookups);
      const launched = abouts.find(({ resource }) => resource.includes(':subnet/'));
      if (kind.call === 'ec2:RunInstances') abouts.push(...deployment.ofTemplate(launched?.context));
      for (const about of abouts) all.push({ roleName, about: withContext(about) });
    }
    if (host !== undefined)
      for (const about of uploadsOf(kind)) all.push({ roleName: host, about: withContext(about) });
  }
  // Ids of runs and findings are alike for every policy.
  const alike = (one: AskedWith): string => JSON.stringify(one).replaceAll(/[0-9a-f-]{32,}/g, '');
  return [...new Map(all.map((one) => [alike(one), one])).values()];
}

async function checkedRequests(services: Services): Promise<Checked> {
  const { kinds, refused } = await validate(requestsIn(services.directory));
  const deployment = await Deployment.read(services);
  const lookups = lookupsIn(services);
  try {
    const functions = new Set(
      deployment.roles.flatMap(({ assumedBy, logicalId }) =>
        assumedBy === 'lambda.amazonaws.com' ? [logicalId] : [],
      ),
    );
    const roles = new Map(deployment.roles.map((role) => [role.roleName, role]));
    const lineOf = ({ logicalId }: DeployedRole, action: string, resource: string): string =>
      `${logicalId} ${action} ${deployment.asWritten(resource)}`;
    const seen: string[] = [];
    for (const { roleName, about } of await askedOf(kinds, deployment, lookups)) {
      const role = roles.get(roleName);
      if (role === undefined) throw new Error(`${roleName} is no role of the stacks`);
      const { allowed, by, reason } = await decide(role, about);
      seen.push(...by.map((resource) => lineOf(role, about.action, resource)));
      const what = `${role.logicalId} ${about.action} ${deployment.asWritten(about.resource)}`;
      if (!allowed) refused.push(`${what}: ${reason}: ${JSON.stringify(about.context)}`);
      else refused.push(...(await refusedByOrganizations(role, about, what)));
    }
    return {
      requests: kinds.reduce((sum, { count }) => sum + count, 0),
      distinct: kinds.length,
      refused: sorted(refused),
      granted: sorted(
        deployment.granted().map(({ role, action, resource }) => lineOf(role, action, resource)),
      ),
      seen: sorted(seen),
      isOfFunction: (line) => functions.has(line.split(' ')[0] ?? ''),
    };
  } finally {
    lookups.close();
    deployment.close();
  }
}

async function refusedByOrganizations(role: DeployedRole, about: About, what: string): Promise<string[]> {
  const all = Object.entries(organizations);
  const policies = all.map(([name, { policy }]) => ({ name, policy }));
  if ((await decide(role, about, policies)).allowed) return [];
  const refused: string[] = [];
  for (const [name, { policy, refuses }] of all)
    if (!(about.action in refuses) && !(await decide(role, about, [{ name, policy }])).allowed)
      refused.push(`${what}: an organization with "${name}" refuses it`);
  return refused;
}

/**
 * To be called while the deployment is up. With STRIPEWISE_KEEP_PERMISSIONS=1 it writes down what is granted and used.
 * @param configuration what is deployed, as permissions.json calls it; without one only that all is taken is looked at.
 * @throws Error where AWS would refuse something, where roles allow what is not written down, or a service no longer makes a call that is written down.
 */
export async function expectRequestsTaken(services: Services, configuration?: string): Promise<void> {
  const suite = relative(root, expect.getState().testPath ?? '');
  const { requests, distinct, refused, granted, seen, isOfFunction } = await checkedRequests(services);
  process.stderr.write(
    `requests of ${suite}: ${requests}, ${distinct} of them distinct; refused ${refused.length}; ${seen.length} of ${granted.length} permissions used\n`,
  );
  expect(refused).toEqual([]);
  if (configuration === undefined) return;
  if (process.env['STRIPEWISE_KEEP_PERMISSIONS'] === '1') {
    const before = readPermissions();
    const kept = {
      granted: { ...before.granted, [configuration]: granted },
      seen: { ...before.seen, [suite]: seen },
    };
    writeFileSync(permissionsFile, `${JSON.stringify(kept, null, 2)}\n`);
  }
  const { granted: written, seen: uses } = readPermissions();
  expect(granted).toEqual(written[configuration] ?? []);
  // Which calls a function makes may be a matter of timing; that it misses each is in the tests that take one away.
  expect((uses[suite] ?? []).filter((line) => !seen.includes(line) && !isOfFunction(line))).toEqual([]);
}
