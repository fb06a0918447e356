// Ends what its owner started once the owner is gone, in whatever way it went: after SIGKILL no handler runs there.
// Standard input is a pipe from the owner. `+PID` is a process group to end with the owner, `-PID` one that is over or
// is to stay, `>PATH` a directory to remove after them, `<PATH` one that is to stay; the end of the input is the owner's end.
// What it ends holds nothing that is needed later: SIGKILL at once.
// Its argument, where there is one, is the process that started the owner: gone, nobody waits for the owner any more (a
// worker of Jest would run its tests to their end).
// Plain JavaScript: tools/run.mjs needs it before Node 24 is there.
import { rmSync } from 'node:fs';

// Who ends everything politely must not end the one that cleans up: with its owner it goes by itself.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});

const groups = new Set();
const directories = new Set();
function endAll() {
  for (const group of groups) {
    try {
      process.kill(-group, 'SIGKILL');
    } catch {
      // It ended by itself.
    }
  }
  for (const directory of directories) rmSync(directory, { recursive: true, force: true, maxRetries: 10 });
  process.exit();
}

const starter = Number(process.argv[2] ?? 0);
const lookForStarter = () => {
  try {
    process.kill(starter, 0);
  } catch {
    endAll();
  }
};
if (starter > 1) setInterval(lookForStarter, 500);

let unread = '';
for await (const text of process.stdin.setEncoding('utf8')) {
  const lines = (unread + text).split('\n');
  unread = lines.pop() ?? '';
  for (const line of lines) {
    const [, side, directory] = /^([<>])(\/.+)$/.exec(line) ?? [];
    if (side === '>') directories.add(directory);
    else if (side === '<') directories.delete(directory);
    // To 0 and -1 a signal means all of us, and everybody.
    const [, sign, pid] = /^([+-])([1-9]\d*)$/.exec(line) ?? [];
    if (pid === undefined || pid === '1') continue;
    if (sign === '+') groups.add(Number(pid));
    else groups.delete(Number(pid));
  }
}
endAll();
