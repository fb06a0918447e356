/**
 * The points of GetMetricData as plain numbers. The SDK takes every point through its schema and makes a Date of each
 * time: of a full page (100,800 points) that is most of an evaluation's processor time and ten times the page in memory. So
 * points are taken out of the reply before the SDK reads it, and it reads the rest: errors, tokens and messages are its.
 */
import { Readable } from 'node:stream';
import type {
  GetMetricDataCommand,
  GetMetricDataCommandOutput,
  MetricDataResult,
} from '@aws-sdk/client-cloudwatch';
import { jsonOrNull } from '../../core/json.ts';
import { msPerSecond } from '../../core/units.ts';

export interface PlainPoints {
  epochSeconds: readonly number[];
  values: readonly number[];
}

interface PlainResult {
  Timestamps?: readonly number[];
  Values?: readonly number[];
}

/** By the reply that the SDK made of the rest, in the order of its results. */
const pointsOfReply = new WeakMap<object, PlainPoints[]>();

/** Times as JSON 1.0 has them, in seconds; anything else is the SDK's to read. */
const isPlain = (result: unknown): result is PlainResult => {
  const { Timestamps = [], Values = [] } = (result ?? {}) as PlainResult;
  return Array.isArray(Timestamps) && Array.isArray(Values) && typeof (Timestamps[0] ?? 0) === 'number';
};

/** The reply without its points, and the points; null where it is not in the form that is known here. */
function takenApart(text: string): { rest: Buffer; points: PlainPoints[] } | null {
  const reply = jsonOrNull(text) as { MetricDataResults?: unknown } | null;
  const results: unknown = reply?.MetricDataResults;
  if (!Array.isArray(results) || !results.every(isPlain)) return null;
  const points = results.map(({ Timestamps = [], Values = [] }) => ({
    epochSeconds: Timestamps,
    values: Values,
  }));
  const bare = results.map(({ Timestamps: _, Values: __, ...rest }) => rest);
  return { rest: Buffer.from(JSON.stringify({ ...reply, MetricDataResults: bare })), points };
}

interface HttpReply {
  statusCode: number;
  headers: Record<string, string>;
  /** A stream; the SDK also takes all of it at once. */
  body: unknown;
}

/** As text at once: bytes would lie beside it, outside of the heap, until the next collection of garbage. */
async function textOf(body: Readable): Promise<string> {
  let text = '';
  for await (const part of body.setEncoding('utf8')) text += part;
  return text;
}

const isJson = ({ statusCode, headers }: HttpReply): boolean =>
  statusCode === 200 && (headers['content-type'] ?? '').startsWith('application/x-amz-json');

/** For one command, before it is sent. */
export function withPlainPoints(command: GetMetricDataCommand): GetMetricDataCommand {
  const taken = new WeakMap<object, PlainPoints[]>();
  const { middlewareStack: stack } = command;
  // Inside of the SDK's own reading of the reply, and around it.
  stack.add(
    (next) => async (args) => {
      const result = await next(args);
      const response = result.response as HttpReply;
      if (!isJson(response) || !(response.body instanceof Readable)) return result;
      const text = await textOf(response.body);
      const apart = takenApart(text);
      response.body = apart?.rest ?? Buffer.from(text);
      if (apart !== null) taken.set(response, apart.points);
      return result;
    },
    { step: 'deserialize', priority: 'low', name: 'stripewiseTakePoints', override: true },
  );
  stack.add(
    (next) => async (args) => {
      const result = await next(args);
      const points = taken.get(result.response as HttpReply);
      if (points !== undefined && result.output !== undefined) pointsOfReply.set(result.output, points);
      return result;
    },
    { step: 'deserialize', priority: 'high', name: 'stripewiseGivePoints', override: true },
  );
  return command;
}

/** Each result of a reply with its points, whether they were taken out of it or the SDK read them. */
export function resultsWithPoints(reply: GetMetricDataCommandOutput): [MetricDataResult, PlainPoints][] {
  const plain = pointsOfReply.get(reply);
  return (reply.MetricDataResults ?? []).map((result, index) => [
    result,
    plain?.[index] ?? {
      epochSeconds: (result.Timestamps ?? []).map((time) => time.getTime() / msPerSecond),
      values: result.Values ?? [],
    },
  ]);
}
