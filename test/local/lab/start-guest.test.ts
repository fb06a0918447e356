/** How a guest is started, with a program in the place of QEMU that hangs, ends or answers. */
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { LabVm } from '../../../local/lab/vm.ts';
import { temporaryDirectory } from '../../fixtures/temporary-directory.ts';

const { path: place } = temporaryDirectory();
const tools = join(place, 'tools');
const pathBefore = process.env['PATH'];
const image = { kernel: 'none', root: 'none', rootPartition: 'none' };

/** What it does at each start, one after the other; the last from then on. */
type Behaviour = 'silent' | 'ends' | 'answers';

/** @param name of the guest: its directory. */
function pretend(name: string, behaviours: readonly Behaviour[]): string {
  const directory = join(place, name);
  mkdirSync(tools, { recursive: true });
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(tools, 'qemu-img'), '#!/bin/sh\n');
  writeFileSync(
    join(tools, 'qemu-system-x86_64'),
    `#!${process.execPath}
const { appendFileSync, readFileSync } = require('node:fs');
const { createServer } = require('node:net');
const starts = ${JSON.stringify(join(directory, 'starts'))};
appendFileSync(starts, 'x');
const count = readFileSync(starts, 'utf8').length;
const behaviour = ${JSON.stringify(behaviours)}[Math.min(count, ${behaviours.length}) - 1];
const serve = (name, onLine) =>
  createServer((socket) => {
    if (name === 'qmp') socket.write('{"QMP":{}}\\n');
    socket.setEncoding('latin1').on('data', (text) => {
      for (const line of text.split('\\n').filter(Boolean)) {
        const said = onLine(JSON.parse(line.replace('\\u00ff', '')));
        if (said !== undefined) socket.write(JSON.stringify({ return: said }) + '\\n');
      }
    });
  }).listen(${JSON.stringify(directory)} + '/' + name);
serve('qmp', ({ execute }) => (behaviour === 'ends' && execute === 'cont' ? process.exit(3) : {}));
serve('agent', (asked) => (behaviour === 'answers' ? asked.arguments.id : undefined));
`,
  );
  for (const tool of ['qemu-img', 'qemu-system-x86_64']) chmodSync(join(tools, tool), 0o755);
  return directory;
}
const startsOf = (directory: string): number => readFileSync(join(directory, 'starts'), 'utf8').length;
const started = (directory: string) => LabVm.start({ image, directory, disks: [], bootTimeoutMs: 1_500 });

let said: jest.SpyInstance;
beforeEach(() => {
  process.env['PATH'] = `${tools}${delimiter}${pathBefore}`;
  said = jest.spyOn(console, 'error').mockImplementation(() => {});
});
afterEach(() => {
  process.env['PATH'] = pathBefore;
  said.mockRestore();
});

test('one that hangs while it boots is started once more, and it is said', async () => {
  const directory = pretend('hangs-once', ['silent', 'answers']);
  const vm = await started(directory);
  await vm.stop();
  expect(startsOf(directory)).toBe(2);
  expect(said.mock.calls).toEqual([
    [
      expect.stringMatching(
        /^STARTED AGAIN, once: the lab's guest did not start: the guest is gone: it said nothing in 1.5 s; it had a processor for \d+ s\. It printed: nothing$/,
      ),
    ],
  ]);
});

test('one that hangs twice fails', async () => {
  const directory = pretend('hangs', ['silent']);
  await expect(started(directory)).rejects.toThrow(
    /did not start: the guest is gone: it said nothing in 1.5 s/,
  );
  expect(startsOf(directory)).toBe(2);
});

test('one that ends is not started again: it would end again', async () => {
  const directory = pretend('ends', ['ends', 'answers']);
  await expect(started(directory)).rejects.toThrow(
    /the lab's guest did not start: (QEMU ended with 3|the guest is gone: it closed the connection)/,
  );
  expect(startsOf(directory)).toBe(1);
  expect(said).not.toHaveBeenCalled();
});
