/** One command on one host: how far it is, and what it printed. */
import { msPerSecond } from '../../core/units.ts';
import type { HostAnswer } from './hosts.ts';

/** How long a command takes at least, so that who sends it has to wait for it as on AWS. */
export interface Pace {
  /** Until the host has it. */
  pendingMs: number;
  /** From then on. */
  runningMs: number;
}

/**
 * What the API hands over of an output, in characters. Source: SSM API reference, GetCommandInvocation (24,000 and 8,000)
 * and CommandPlugin (2,500), read 2026-11-22.
 */
const most = { output: 24_000, errors: 8_000, inList: 2_500 };

/** As the agent writes them (amazon-ssm-agent), within the 2,500. */
const errorsFollow = '\n----------ERROR-------\n';
const isCut = '\n---Output truncated---';

const cut = (text: string): string =>
  text.length <= most.inList ? text : text.slice(0, most.inList - isCut.length) + isCut;

const finalStates = {
  Success: { details: 'Success', responseCode: 0 },
  Failed: { details: 'Failed', responseCode: 1 },
  TimedOut: { details: 'ExecutionTimedOut', responseCode: 137 },
};

interface State {
  status: 'Pending' | 'InProgress' | 'Cancelled' | HostAnswer['status'];
  details: string;
  responseCode: number;
}

export class Invocation {
  readonly instanceId: string;
  private readonly sentMs: number;
  private readonly pace: Pace;
  private answer: HostAnswer | null = null;
  private readonly calledOff = new AbortController();
  /** When the host has answered, or the command was called off; AWS says so no sooner than the pace allows. */
  readonly answered: Promise<void>;

  /** @param run What asks the host, until it is aborted. */
  constructor(
    instanceId: string,
    sentMs: number,
    pace: Pace,
    run: (signal: AbortSignal) => Promise<HostAnswer>,
  ) {
    this.instanceId = instanceId;
    this.sentMs = sentMs;
    this.pace = pace;
    const { signal } = this.calledOff;
    const isCalledOff = new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
    const hasAnswered = run(signal).then(
      (answer) => {
        this.answer = answer;
      },
      // Whoever runs commands on hosts could not: to AWS that is a command that failed.
      (error: Error) => {
        this.answer = { status: 'Failed', stdout: '', stderr: error.message };
      },
    );
    this.answered = Promise.race([hasAnswered, isCalledOff]);
  }

  private get isCancelled(): boolean {
    return this.calledOff.signal.aborted;
  }

  private get startMs(): number {
    return this.sentMs + this.pace.pendingMs;
  }

  /** What it has printed, once it has ended by itself. */
  private ended(nowMs: number): HostAnswer | null {
    const isOver = !this.isCancelled && nowMs >= this.startMs + this.pace.runningMs;
    return isOver ? this.answer : null;
  }

  isOver(nowMs: number): boolean {
    return this.isCancelled || this.ended(nowMs) !== null;
  }

  state(nowMs: number): State {
    if (this.isCancelled) return { status: 'Cancelled', details: 'Cancelled', responseCode: -1 };
    if (nowMs < this.startMs) return { status: 'Pending', details: 'Pending', responseCode: -1 };
    const answer = this.ended(nowMs);
    if (answer === null) return { status: 'InProgress', details: 'InProgress', responseCode: -1 };
    return { status: answer.status, ...finalStates[answer.status] };
  }

  /** What has ended stays as it is. */
  cancel(nowMs: number): void {
    if (this.ended(nowMs) === null) this.calledOff.abort();
  }

  /** As ListCommandInvocations tells it. */
  listed(nowMs: number, withDetails: boolean): object {
    const { status, details, responseCode } = this.state(nowMs);
    const { stdout = '', stderr = '' } = this.ended(nowMs) ?? {};
    const plugin = {
      Name: 'aws:runShellScript',
      Status: status,
      StatusDetails: details,
      ResponseCode: responseCode,
      Output: cut(stderr === '' ? stdout : `${stdout}${errorsFollow}${stderr}`),
    };
    return {
      InstanceId: this.instanceId,
      RequestedDateTime: this.sentMs / msPerSecond,
      Status: status,
      StatusDetails: details,
      CommandPlugins: withDetails ? [plugin] : [],
    };
  }

  /** As GetCommandInvocation tells it: no output where it neither succeeded nor failed. */
  notified(nowMs: number): object {
    const { status, details, responseCode } = this.state(nowMs);
    const answer = this.ended(nowMs);
    const hasOutput = status === 'Success' || status === 'Failed';
    return {
      InstanceId: this.instanceId,
      Status: status,
      StatusDetails: details,
      ResponseCode: responseCode,
      StandardOutputContent: hasOutput ? (answer?.stdout.slice(0, most.output) ?? '') : '',
      StandardErrorContent: answer?.stderr.slice(0, most.errors) ?? '',
    };
  }
}
