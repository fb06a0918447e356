/** What Step Functions was given to carry: the histories of an execution and of the children of its maps. */
import {
  type HistoryEvent,
  ListMapRunsCommand,
  paginateGetExecutionHistory,
  paginateListExecutions,
  SFNClient,
} from '@aws-sdk/client-sfn';
import { clientSettings } from '../../../local/deploy.ts';
import type { Services } from '../../../local/services.ts';

interface Payload {
  /** The event and the field that carried it. */
  what: string;
  bytes: number;
}

export interface Histories {
  events: number;
  children: number;
  eventsOfChildren: number;
  /** States entered, of the execution and of all children: what Step Functions charges. */
  transitions: number;
  maxEventsOfAChild: number;
  /** The largest of the parent, and of all children. */
  largest: Payload;
  largestOfAChild: Payload;
}

/** Every text in an event, however deep: input, output, parameters, cause. */
function payloadsOf(event: unknown, what: string): Payload[] {
  if (typeof event === 'string') return [{ what, bytes: Buffer.byteLength(event, 'utf8') }];
  if (typeof event !== 'object' || event === null || event instanceof Date) return [];
  return Object.entries(event).flatMap(([name, value]) => payloadsOf(value, `${what} ${name}`));
}

const nameOf = ({ type, stateEnteredEventDetails, stateExitedEventDetails }: HistoryEvent): string =>
  [type, stateEnteredEventDetails?.name ?? stateExitedEventDetails?.name].filter(Boolean).join(' ');

const none: Payload = { what: 'nothing', bytes: 0 };
const larger = (a: Payload, b: Payload): Payload => (b.bytes > a.bytes ? b : a);

async function historyOf(
  client: SFNClient,
  executionArn: string,
): Promise<{ events: number; transitions: number; largest: Payload }> {
  let [events, transitions, largest] = [0, 0, none];
  for await (const page of paginateGetExecutionHistory({ client }, { executionArn, maxResults: 1_000 })) {
    for (const event of page.events ?? []) {
      events++;
      if (event.stateEnteredEventDetails !== undefined) transitions++;
      largest = payloadsOf(event, nameOf(event)).reduce(larger, largest);
    }
  }
  return { events, transitions, largest };
}

export async function historiesOf(services: Services, executionArn: string): Promise<Histories> {
  const client = new SFNClient(clientSettings(services));
  const parent = await historyOf(client, executionArn);
  /** Of maps in maps, too. */
  const mapRunsOf = async (arn: string): Promise<string[]> => {
    const { mapRuns = [] } = await client.send(new ListMapRunsCommand({ executionArn: arn }));
    return mapRuns.flatMap(({ mapRunArn }) => mapRunArn ?? []);
  };
  const mapRuns = await mapRunsOf(executionArn);
  const seen: Histories = {
    events: parent.events,
    children: 0,
    eventsOfChildren: 0,
    transitions: parent.transitions,
    maxEventsOfAChild: 0,
    largest: parent.largest,
    largestOfAChild: none,
  };
  // The list grows while it is walked: by the maps of each child.
  for (const mapRunArn of mapRuns) {
    for await (const { executions = [] } of paginateListExecutions({ client }, { mapRunArn })) {
      for (const child of executions) {
        const history = await historyOf(client, child.executionArn ?? '');
        seen.children++;
        seen.eventsOfChildren += history.events;
        seen.transitions += history.transitions;
        mapRuns.push(...(await mapRunsOf(child.executionArn ?? '')));
        seen.maxEventsOfAChild = Math.max(seen.maxEventsOfAChild, history.events);
        seen.largestOfAChild = larger(seen.largestOfAChild, history.largest);
      }
    }
  }
  client.destroy();
  return seen;
}
