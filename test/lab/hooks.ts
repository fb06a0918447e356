/**
 * Ends a document at a named point, from inside: a program that stands before a tool in PATH does it, in the process group of
 * the document, while the step waits for it. So the step has begun and cannot have ended. A point that is never reached fails.
 */
import type { Ended } from '../../local/lab/guest-agent.ts';
import type { Lab } from '../../local/lab/lab.ts';
import type { Disk } from '../../local/lab/vm.ts';
import { ask } from './stripes.ts';

/** A point of a step: by a tool that it calls, and a pattern of the arguments as in `case`. The first such call counts. */
export interface Point {
  at: 'before' | 'after' | 'during' | 'in the work of' | 'under load, before';
  tool: string;
  when: string;
}
export const beforeTool = (tool: string, when: string): Point => ({ at: 'before', tool, when });
/** When it has done its work, and before the step hears of it. */
export const afterTool = (tool: string, when: string): Point => ({ at: 'after', tool, when });
/** While its load is on the volumes; until it is ended it goes on, whatever time the step gives it. */
export const duringTool = (tool: string, when: string): Point => ({ at: 'during', tool, when });
/** While its load is on the volumes: it is stopped there, and goes on afterwards with what is left of its work. */
export const inWorkOf = (tool: string, when: string): Point => ({ at: 'in the work of', tool, when });
/** Before it, as soon as a load that goes on beside it is on the volumes. */
export const underLoadBefore = (tool: string, when: string): Point => ({
  at: 'under load, before',
  tool,
  when,
});

const nameOf = ({ at, tool, when }: Point): string => `${at} ${tool} ${when}`;

/** In memory: where the power goes, it is gone too. */
const directory = '/run/hook';
const reached = `${directory}/reached`;
/** Of what the script itself runs: a watchdog has a session, and so a process group, of its own. */
const documents = '/var/lib/amazon/ssm/';

const actions = {
  /** The whole process group, as a cancelled command is ended. */
  'kill the group': 'kill -s KILL 0',
  /** The script itself, and nothing that it started: as if somebody had chosen it, or the kernel for its memory. */
  'kill the script': `pkill -KILL -f '^/bin/sh ${documents}'`,
  'end the script': `pkill -TERM -f '^/bin/sh ${documents}'`,
  /** Until somebody takes the mark away, or the power goes. */
  wait: `while [ -e ${reached} ]; do sleep 0.1; done`,
} as const;
type Action = keyof typeof actions;

/** Returns when the volumes have operations under way, or did some since it was started. It uses no program: each takes 16 ms. */
const awaitLoad = `operations() {
  sum=0
  for disk in /sys/block/nvme*; do
    read -r serial < "$disk/device/serial"
    case $serial in vol*)
      read -r reads _ _ _ writes _ < "$disk/stat"
      read -r reading writing < "$disk/inflight"
      sum=$((sum + reads + writes + 4 * (reading + writing)))
      ;;
    esac
  done
}
operations
enough=$((sum + 16))
while [ "$sum" -lt "$enough" ]; do
  sleep 0.1
  operations
done
`;

/** It keeps nothing of the document open. */
const beside = (then: string): string =>
  `{ sh ${directory}/await-load; ${then}; } > /dev/null 2>&1 < /dev/null 9>&- &\n`;

/** What becomes of a call that is the point; `act` marks it as reached. */
const courses: Readonly<Record<Point['at'], string>> = {
  before: 'act\nexec "$tool" "$@"',
  after: '"$tool" "$@"\nstatus=$?\nact\nexit $status',
  'under load, before': `sh ${directory}/await-load\nact\nexec "$tool" "$@"`,
  'in the work of': `${beside('kill -s STOP $$; act; kill -s CONT $$')}exec "$tool" "$@"`,
  // Times are in arguments or in a job file of fio.
  during: `for argument; do
  shift
  case $argument in
    --time=*) argument=--time=600 ;;
    *) [ ! -f "$argument" ] || sed -i 's/^runtime=.*/runtime=600/' "$argument" ;;
  esac
  set -- "$@" "$argument"
done
[ "$tool" != fio ] || set -- --time_based --runtime=600 "$@"
${beside('act')}exec "$tool" "$@"`,
};

/** What stands before a tool: it is not there any more when it has acted, once. */
const shim = ({ at, tool, when }: Point, action: Action): string => `#!/bin/sh
PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
tool=${tool}
is_of_the_script() {
  read -r line < /proc/$$/stat
  line=\${line##*) }
  group=\${line#* * }
  case $(tr '\\0' ' ' < "/proc/\${group%% *}/cmdline") in '/bin/sh -c ${documents}'*) ;; *) return 1 ;; esac
}
act() {
  : > ${reached}
  ${actions[action]}
}
case "$*" in ${when.replaceAll(' ', '\\ ')}) is_of_the_script ;; *) false ;; esac || exec "$tool" "$@"
rm -f ${shimOf(tool)}
${courses[at]}
`;
const shimOf = (tool: string): string => `/usr/local/sbin/${tool}`;

async function set(lab: Lab, point: Point, action: Action): Promise<void> {
  await ask(
    lab,
    `mountpoint -q /usr/local/sbin || mount -t tmpfs shims /usr/local/sbin; rm -rf ${directory}; mkdir ${directory}`,
  );
  await lab.vm.agent.writeFile(`${directory}/await-load`, awaitLoad);
  await lab.vm.agent.writeFile(shimOf(point.tool), shim(point, action));
  await ask(lab, `chmod 755 ${shimOf(point.tool)}`);
}

/** @throws Error naming the point, with what the document said. */
function neverReached(point: Point, { exitCode, signal, stdout, stderr }: Ended): Error {
  const how = exitCode === null ? `signal ${signal}` : `exit code ${exitCode}`;
  return new Error(
    `the hook "${nameOf(point)}" was never reached: the document ended with ${how}: ${stderr}\n${stdout}`,
  );
}

type Begin = () => Promise<Ended>;

/** Starts a document, and returns when it stands at the point. @throws where it ends before that. */
async function reachedBy(lab: Lab, point: Point, begin: Begin): Promise<{ running: Promise<Ended> }> {
  const running = begin();
  running.catch(() => {});
  const stop = new AbortController();
  // In one shell: to start one for each look takes more than what is looked at.
  const waiting = lab.vm.agent.shell(`until [ -e ${reached} ]; do sleep 0.1; done`, {
    timeoutMs: 300_000,
    signal: stop.signal,
  });
  const ended = await Promise.race([waiting.then(() => null), running]);
  if (ended === null) return { running };
  stop.abort();
  await waiting;
  await ask(lab, `rm -f ${shimOf(point.tool)}`);
  throw neverReached(point, ended);
}

async function actedAt(lab: Lab, point: Point, begin: Begin, action: Action): Promise<Ended> {
  await set(lab, point, action);
  const ended = await begin();
  const isReached = await ask(lab, `rm -f ${shimOf(point.tool)}; ls ${reached} 2> /dev/null || true`);
  if (isReached === '') throw neverReached(point, ended);
  return ended;
}

/** The process group is killed at the point, by SIGKILL. @throws where the point is not reached. */
export const killedAt = (lab: Lab, point: Point, begin: Begin): Promise<Ended> =>
  actedAt(lab, point, begin, 'kill the group');
/** The script alone is killed: exit code 137. @throws where the point is not reached. */
export const scriptKilledAt = (lab: Lab, point: Point, begin: Begin): Promise<Ended> =>
  actedAt(lab, point, begin, 'kill the script');
/** The script alone gets SIGTERM. @throws where the point is not reached. */
export const scriptEndedAt = (lab: Lab, point: Point, begin: Begin): Promise<Ended> =>
  actedAt(lab, point, begin, 'end the script');

/** At the point something happens, while the step waits; then it goes on, if it can. @throws where the point is not reached. */
export async function whileAt(
  lab: Lab,
  point: Point,
  begin: Begin,
  happens: () => Promise<void> | void,
): Promise<Ended> {
  await set(lab, point, 'wait');
  const { running } = await reachedBy(lab, point, begin);
  await happens();
  await ask(lab, `rm -f ${reached}`);
  return running;
}

/** The power fails at the point, and comes back with these disks. @throws where the point is not reached. */
export async function powerFailsAt(
  lab: Lab,
  point: Point,
  begin: Begin,
  disks: readonly Disk[],
): Promise<void> {
  await set(lab, point, 'wait');
  const { running } = await reachedBy(lab, point, begin);
  await lab.restart(disks);
  await running.then(
    () => Promise.reject(new Error(`the document went on while the power failed ${nameOf(point)}`)),
    () => {},
  );
}
