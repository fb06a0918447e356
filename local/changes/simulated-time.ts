/** Time of a local AWS with volumes that live: hours are lived, then the clock is set, and whatever waited for it goes on. */
import type { EC2Client } from '@aws-sdk/client-ec2';
import {
  GetExecutionHistoryCommand,
  type HistoryEvent,
  ListExecutionsCommand,
  type SFNClient,
} from '@aws-sdk/client-sfn';
import { delay } from 'es-toolkit/promise';
import { msPerSecond } from '../../core/units.ts';
import type { Load } from '../../test/simulator/loads.ts';
import { setClock } from '../clock.ts';
import { localRegion, type Services } from '../services.ts';
import { type Lived, liveOn } from './live-on.ts';

export interface LivingAccount {
  services: Pick<Services, 'urls' | 'directory'>;
  ec2: EC2Client;
  workflows: SFNClient;
  stateMachineArn: string;
  /** By volume. */
  loads: Readonly<Record<string, Load>>;
}

/** MiniStack looks at the clock ten times a second. */
const clockMs = 300;
const pollMs = 150;
const maxQuietMs = 120_000;

/** An execution waits by the clock, or for a person. */
function waits([last, before]: readonly HistoryEvent[]): boolean {
  if (last?.type === 'WaitStateEntered') return true;
  const event = last?.type === 'TaskStarted' || last?.type === 'TaskSubmitted' ? before : last;
  return event?.taskScheduledEventDetails?.resource?.includes('waitForTaskToken') === true;
}

export class SimulatedTime {
  /** Epoch seconds. */
  now: number;
  private readonly account: LivingAccount;
  private readonly balances = new Map<string, number>();

  constructor(account: LivingAccount, nowSeconds: number) {
    this.account = account;
    this.now = nowSeconds;
  }

  /** Volumes live until then; the clock is not set. @returns by volume what truly happened. */
  async lived(from: number, to: number): Promise<Map<string, Lived>> {
    const { services, ec2, loads } = this.account;
    const { cloudWatch } = services.urls;
    return liveOn({ cloudWatch, ec2, region: localRegion, from, to, loads, balances: this.balances });
  }

  async set(seconds: number): Promise<void> {
    this.now = seconds;
    await setClock(this.account.services, seconds * msPerSecond);
  }

  /** Volumes live, the clock is set to the end of it, and what went on by it waits again. */
  async pass(seconds: number): Promise<Map<string, Lived>> {
    const to = this.now + seconds;
    const result = await this.lived(this.now, to);
    await this.set(to);
    await delay(clockMs);
    await this.quiet();
    return result;
  }

  /** Until every change waits: by the clock, or for a person. @throws Error where one does not come to rest. */
  async quiet(): Promise<void> {
    const until = Date.now() + maxQuietMs;
    for (let quiet = 0; quiet < 2; await delay(pollMs)) {
      quiet = (await this.busy()) ? 0 : quiet + 1;
      if (Date.now() > until) throw new Error(`a change did not come to rest within ${maxQuietMs / 1_000} s`);
    }
  }

  private async busy(): Promise<boolean> {
    const { workflows, stateMachineArn } = this.account;
    const { executions = [] } = await workflows.send(
      new ListExecutionsCommand({ stateMachineArn, statusFilter: 'RUNNING' }),
    );
    for (const { executionArn } of executions) {
      const { events = [] } = await workflows.send(
        new GetExecutionHistoryCommand({ executionArn, reverseOrder: true, maxResults: 2 }),
      );
      if (!waits(events)) return true;
    }
    return false;
  }
}
