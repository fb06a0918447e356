// Ends what its owner started once the owner is gone, in whatever way it went: after SIGKILL no handler runs there.
// Standard input is a pipe from the owner. `+PID` is a process group to end with the owner, `-PID` one that is over or
// is to stay; the end of the input is the owner's end. What it ends holds nothing that is needed later: SIGKILL at once.
// Plain JavaScript: tools/run.mjs needs it before Node 24 is there.

// Who ends everything politely must not end the one that cleans up: with its owner it goes by itself.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});

const groups = new Set();
let unread = '';
for await (const text of process.stdin.setEncoding('utf8')) {
  const lines = (unread + text).split('\n');
  unread = lines.pop() ?? '';
  for (const line of lines) {
    // To 0 and -1 a signal means all of us, and everybody.
    const [, sign, pid] = /^([+-])([1-9]\d*)$/.exec(line) ?? [];
    if (pid === undefined || pid === '1') continue;
    if (sign === '+') groups.add(Number(pid));
    else groups.delete(Number(pid));
  }
}
for (const group of groups) {
  try {
    process.kill(-group, 'SIGKILL');
  } catch {
    // It ended by itself.
  }
}
