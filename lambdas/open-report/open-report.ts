/** Who has a link that we signed is sent on to the report, by an address that is good for minutes. */
import {
  evaluationOn,
  reportPageKey,
  type SignedTarget,
  signedTarget,
} from '../../core/report/report-link.ts';

export interface OpenWith {
  /** What links are signed with; not asked for what is none of a link. */
  readKey(): Promise<string>;
  isThere(key: string): Promise<boolean>;
  /** Signed now, for this method alone. */
  freshUrl(key: string, method: Method): Promise<string>;
  /** Called with what could not be read. */
  onTrouble(trouble: Error): void;
}

const methods = ['GET', 'HEAD'] as const;
type Method = (typeof methods)[number];

export interface Request {
  method: string;
  path: string;
}

/** As a Function URL takes it (payload format 2.0). */
export interface Answer {
  statusCode: number;
  headers: Record<string, string>;
  body: string;
}

const always = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
};

const say = (statusCode: number, line: string, headers: Record<string, string> = {}): Answer => ({
  statusCode,
  headers: { ...always, 'content-type': 'text/plain; charset=utf-8', ...headers },
  body: `${line}\n`,
});

/** Whoever guesses learns the same from every guess. */
const notValid = say(403, 'This link is not valid.');
/** Only of what we signed: what it says of the report is ours. */
const expired = ({ kind, id }: SignedTarget): Answer => {
  const which = kind === 'runs' ? 'run' : 'campaign';
  return say(
    403,
    `This link has expired. Who may read the account opens the report with: stripewise report open --${which} ${id}`,
  );
};
const gone = say(404, 'This report is not there: it was kept for its time, or was removed.');
const notNow = say(503, 'This report cannot be opened just now: try again in a minute.', {
  'retry-after': '60',
});
const wrongMethod = say(405, 'A report can be read, and nothing else.', { allow: methods.join(', ') });

/** The link itself is in no answer and in no log: who has it can read the report. */
export async function openReport(
  { method, path }: Request,
  nowEpochSeconds: number,
  { readKey, isThere, freshUrl, onTrouble }: OpenWith,
): Promise<Answer> {
  const asked = methods.find((one) => one === method);
  if (asked === undefined) return wrongMethod;
  const target = signedTarget(path);
  if (target === null) return notValid;
  try {
    const status = evaluationOn(target, await readKey(), nowEpochSeconds);
    if (status === 'forged') return notValid;
    if (status === 'expired') return expired(target);
    const key = reportPageKey(target);
    if (!(await isThere(key))) return gone;
    return { statusCode: 302, headers: { ...always, location: await freshUrl(key, asked) }, body: '' };
  } catch (error) {
    onTrouble(error as Error);
    return notNow;
  }
}
