/** The most memory that each deployed function took: its worker processes, as Linux accounts for them. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

export interface FunctionMemory {
  /** As its folder below lambdas/ is called: evaluate-batch. */
  name: string;
  configuredMiB: number;
  peakMiB: number;
}

type WorkerOf = Omit<FunctionMemory, 'peakMiB'>;

const pollMs = 100;
/** A process shows its parent's environment until it has become what it will be. */
const looksUntilKnown = 20;

/** Null where the process is gone, or is not ours to read. */
function read(pid: string, file: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return null;
  }
}

/** Linux: 5 sets the peak (VmHWM) to what is resident now. */
function forgetPeak(pid: string): void {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
  } catch {
    // It ended.
  }
}

/** StripewiseAuditFunctionsEvaluateBatchFunction1A2B -> evaluate-batch */
function shortName(functionName: string, names: readonly string[]): string {
  const plain = functionName.toLowerCase();
  return names.find((name) => plain.includes(name.replaceAll('-', ''))) ?? functionName;
}

/** Looks for workers of one local AWS until it is stopped. */
export class WorkerMemory {
  private readonly byName = new Map<string, FunctionMemory>();
  /** Of a process that is a worker of ours its function, of any other how often it was looked at. */
  private readonly known = new Map<string, WorkerOf | number>();
  private readonly directory: string;
  private readonly names: readonly string[];
  private readonly timer: NodeJS.Timeout;

  /** @param directory of this local AWS: its workers' code is below it. */
  constructor(directory: string, names: readonly string[]) {
    this.directory = directory;
    this.names = names;
    this.timer = setInterval(() => this.look(), pollMs);
  }

  /** What was seen since the last time. A worker that lives on keeps what it holds, as on Lambda, and peaks anew from there. */
  take(): FunctionMemory[] {
    this.look();
    const seen = [...this.byName.values()].sort((a, b) => b.peakMiB - a.peakMiB);
    this.byName.clear();
    for (const [pid, worker] of this.known) if (typeof worker !== 'number') forgetPeak(pid);
    return seen;
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private look(): void {
    const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    for (const pid of pids) {
      const worker = this.workerOf(pid);
      if (worker === null) continue;
      const peak = /^VmHWM:\s+(\d+) kB$/m.exec(read(pid, 'status') ?? '')?.[1];
      if (peak === undefined) continue;
      const peakMiB = Number(peak) / 1_024;
      const before = this.byName.get(worker.name)?.peakMiB ?? 0;
      this.byName.set(worker.name, { ...worker, peakMiB: Math.max(before, peakMiB) });
    }
  }

  private workerOf(pid: string): WorkerOf | null {
    const known = this.known.get(pid) ?? 0;
    if (typeof known !== 'number') return known;
    if (known === looksUntilKnown) return null;
    const environment = read(pid, 'environ') ?? '';
    const value = (name: string): string | undefined =>
      environment
        .split('\0')
        .find((line) => line.startsWith(`${name}=`))
        ?.slice(name.length + 1);
    const functionName = value('AWS_LAMBDA_FUNCTION_NAME');
    const isOurs = value('LAMBDA_TASK_ROOT')?.startsWith(this.directory) === true;
    const worker =
      functionName !== undefined && isOurs
        ? {
            name: shortName(functionName, this.names),
            configuredMiB: Number(value('AWS_LAMBDA_FUNCTION_MEMORY_SIZE')),
          }
        : null;
    this.known.set(pid, worker ?? known + 1);
    return worker;
  }
}
