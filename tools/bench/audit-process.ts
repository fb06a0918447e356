/** Runs one audit in a process of its own and prints what it took; the arguments come as a JSON file. */
import { readFileSync } from 'node:fs';
import { main } from '../../cli/main.ts';

const args = JSON.parse(readFileSync(process.argv[2] as string, 'utf8')) as string[];
let printedBytes = 0;
const start = process.hrtime.bigint();
const code = await main(['audit', '--json', ...args], {
  out: (line) => {
    printedBytes += line.length;
  },
  err: (line) => process.stderr.write(`${line}\n`),
  errIsTerminal: false,
  errStream: process.stderr,
  color: false,
  invokedAs: 'stripewise',
  columns: null,
  openFile: async () => null,
  ask: null,
  now: () => new Date(),
  newRunId: () => 'bench',
});
console.log(
  JSON.stringify({
    code,
    printedBytes,
    seconds: Number(process.hrtime.bigint() - start) / 1e9,
    peakMiB: process.resourceUsage().maxRSS / 1024,
  }),
);
