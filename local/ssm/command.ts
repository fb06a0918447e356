/** One command, to all its hosts. */
import { msPerSecond } from '../../core/units.ts';
import type { Invocation } from './invocation.ts';
import type { SendCommand } from './requests.ts';

/** What each of its invocations says of it too. */
interface About {
  CommandId: string;
  Comment: string;
  DocumentName: string;
  DocumentVersion: string;
}

interface State {
  status: string;
  details: string;
}

const isUnderWay = ({ status }: State): boolean => status === 'Pending' || status === 'InProgress';

export class Command {
  readonly about: About;
  readonly request: SendCommand;
  readonly sentMs: number;
  readonly invocations: readonly Invocation[];

  constructor(about: About, request: SendCommand, sentMs: number, invocations: readonly Invocation[]) {
    this.about = about;
    this.request = request;
    this.sentMs = sentMs;
    this.invocations = invocations;
  }

  /** The worst of its hosts', once all have ended. */
  state(nowMs: number): State {
    const states = this.invocations.map((one) => one.state(nowMs));
    if (states.every(({ status }) => status === 'Pending')) return { status: 'Pending', details: 'Pending' };
    if (states.some(isUnderWay)) return { status: 'InProgress', details: 'InProgress' };
    const worst = ['Failed', 'TimedOut', 'Cancelled']
      .map((name) => states.find(({ status }) => status === name))
      .find((state) => state !== undefined);
    return worst ?? { status: 'Success', details: 'Success' };
  }

  /** As SendCommand and ListCommands tell it. */
  notified(nowMs: number): object {
    const { status, details } = this.state(nowMs);
    const { InstanceIds, Parameters, MaxConcurrency, MaxErrors, TimeoutSeconds } = this.request;
    const ends = this.invocations.map((one) => one.state(nowMs)).filter((state) => !isUnderWay(state));
    return {
      ...this.about,
      ...{ InstanceIds, Targets: [], Parameters, MaxConcurrency, MaxErrors, TimeoutSeconds },
      RequestedDateTime: this.sentMs / msPerSecond,
      ...{ Status: status, StatusDetails: details },
      ...{ TargetCount: InstanceIds.length, CompletedCount: ends.length, DeliveryTimedOutCount: 0 },
      ErrorCount: ends.filter((end) => end.status === 'Failed' || end.status === 'TimedOut').length,
    };
  }
}
