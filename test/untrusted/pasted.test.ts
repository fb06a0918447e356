/** What is printed to be pasted into a shell: nothing of an account or of a file's name is run. */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { runCli } from '../cli/run-cli.ts';
import { paste } from '../core/plan/steps/paste.ts';
import { describeInstances, describeVolumes } from '../fixtures/aws-cli.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { untrustedText } from '../fixtures/untrusted-text.ts';
import { restless } from './complaints.ts';

const directory = temporaryDirectory();
const log = join(directory.path, 'called');

/** A name that a file can have: no slash, no NUL, 200 bytes of UTF-8. */
const fileName = untrustedText.map((text) => {
  const bytes = Buffer.from(text.replaceAll(/[/\0]/g, '_'), 'utf8').subarray(0, 200);
  return `${bytes.toString('utf8').toWellFormed().replaceAll('\ufffd', '')}.json`;
});

/** Commands on the path that write down what they were called with, a NUL after each word. */
function stubs(): string {
  for (const name of ['aws', 'stripewise', 'touch', 'reboot']) {
    chmodSync(directory.write(`bin/${name}`, `#!/bin/sh\nprintf '%s\\0' ${name} "$@" >> ${log}\n`), 0o755);
  }
  return join(directory.path, 'bin');
}

async function calls(lines: readonly string[], cwd: string): Promise<string[][]> {
  writeFileSync(log, '');
  await paste(lines, { shell: '/bin/bash', bin: stubs(), cwd });
  const words = readFileSync(log, 'utf8').split('\0').slice(0, -1);
  const starts = words.flatMap((word, i) =>
    word === 'aws' || word === 'stripewise' || word === 'touch' ? [i] : [],
  );
  return starts.map((start, i) => words.slice(start, starts[i + 1]));
}

test('audit queries: files and directories of any name are one word each, and aws is all that is called', async () => {
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fileName, fileName, untrustedText, async (file, out, name) => {
      const cwd = join(directory.path, `${run++}`);
      mkdirSync(cwd);
      const volumes = join(cwd, file);
      writeFileSync(
        volumes,
        JSON.stringify(describeVolumes({ VolumeId: `${name}1`, Tags: [{ Key: 'Name', Value: name }] })),
      );
      const queries = join(cwd, 'queries', out);
      const { out: printed, code } = await runCli('audit', 'queries', '--volumes', volumes, '--out', queries);
      expect(code).toBe(0);
      const lines = printed.split('\n').map((line) => line.replace(/^Then: /, ''));
      expect(lines.join('')).not.toMatch(restless);
      const commands = lines.filter((line) => /^(aws|stripewise) /.test(line));
      const [query, audit, ...others] = await calls(commands, cwd);
      expect(others).toEqual([]);
      const request = join(queries, 'queries-us-east-1-001.json');
      const reply = join(queries, 'reply-us-east-1-001.json');
      expect(query?.slice(-3)).toEqual(['json', '--cli-input-json', `file://${request}`]);
      expect(audit).toEqual(['stripewise', 'audit', '--volumes', volumes, '--metrics', reply]);
      expect([existsSync(request), existsSync(reply), readdirSync(cwd).length]).toEqual([true, true, 2]);
    }),
    { numRuns: 40 },
  );
});

test('an account that is none names no file: what it belongs to is refused, and nothing is written', async () => {
  await fc.assert(
    fc.asyncProperty(untrustedText, async (account) => {
      const instances = describeInstances({}) as { Reservations: object[] };
      const reservations = instances.Reservations.map((one) => ({ ...one, OwnerId: `../${account}` }));
      const volumes = directory.write('in/v.json', describeVolumes({}));
      const file = directory.write('in/i.json', { Reservations: reservations });
      const before = readdirSync(directory.path);
      const out = join(directory.path, 'out');
      const { code, err } = await runCli(
        'audit',
        'queries',
        '--volumes',
        volumes,
        '--instances',
        file,
        '--out',
        out,
      );
      expect([code, err.split('\n').length]).toEqual([2, 1]);
      expect(readdirSync(directory.path)).toEqual(before);
    }),
    { numRuns: 20 },
  );
});

test('plan: a Region or a volume that is none is refused, and stands in no command', async () => {
  const plan = ['plan', '--iops', '4000', '--capacity-gib', '500', '--steps', 'aws-cli'];
  await fc.assert(
    fc.asyncProperty(untrustedText, async (text) => {
      for (const more of [
        ['--region', text],
        ['--current', 'gp2:500', '--volume-ids', text],
        ['--current', text],
      ]) {
        const { code, out, err } = await runCli(...plan, ...more);
        expect([code, out]).toEqual([2, '']);
        expect(err).not.toMatch(restless);
      }
    }),
    { numRuns: 20 },
  );
});
