/** Dashboards of an account, in memory: put, get, list, delete, with the checks that CloudWatch does on a body. All Regions share them. */
import { z } from 'zod';
import { msPerSecond } from '../../core/units.ts';
import { ServiceError } from '../service-error.ts';
import { invalidParameterValue } from './errors.ts';

interface ValidationMessage {
  DataPath: string;
  Message: string;
}

export interface Dashboard {
  name: string;
  body: string;
  lastModifiedSeconds: number;
}

const maxWidgets = 500;
const widgetTypes = ['alarm', 'custom', 'explorer', 'log', 'metric', 'text'];
const widget = z.object({
  type: z.enum(widgetTypes),
  properties: z.record(z.string(), z.unknown()),
  x: z.int().min(0).max(23).optional(),
  y: z.int().min(0).optional(),
  width: z.int().min(1).max(24).optional(),
  height: z.int().min(1).max(1_000).optional(),
});
const dashboardBody = z.object({ widgets: z.array(widget).max(maxWidgets) });

const name = z.string().regex(/^[A-Za-z0-9_-]{1,255}$/);
const put = z.object({ DashboardName: name, DashboardBody: z.string() });
const get = z.object({ DashboardName: z.string().min(1) });
const list = z.object({ DashboardNamePrefix: z.string().optional() });
const remove = z.object({ DashboardNames: z.array(z.string()).min(1).max(100) });

function invalidInput(message: string, messages: ValidationMessage[] = []): ServiceError {
  return new ServiceError('DashboardInvalidInputError', message, 400, {
    dashboardValidationMessages: messages,
  });
}

function checkBody(text: string): void {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw invalidInput('The field DashboardBody must be a valid JSON object');
  }
  const parsed = dashboardBody.safeParse(body);
  if (parsed.success) return;
  const messages = parsed.error.issues.map(({ path, message }) => ({
    DataPath: `/${path.join('/')}`,
    Message: message,
  }));
  throw invalidInput('The dashboard body is invalid, there are validation errors', messages);
}

function parse<T>(schema: z.ZodType<T>, input: unknown): T {
  const parsed = schema.safeParse(input);
  if (!parsed.success) throw invalidParameterValue(z.prettifyError(parsed.error));
  return parsed.data;
}

export class Dashboards {
  private readonly byName = new Map<string, Dashboard>();
  private readonly account: string;

  constructor(account: string) {
    this.account = account;
  }

  all(): Dashboard[] {
    return [...this.byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  put(input: unknown): object {
    const parsed = put.safeParse(input);
    if (!parsed.success) throw invalidInput(z.prettifyError(parsed.error));
    const { DashboardName, DashboardBody } = parsed.data;
    checkBody(DashboardBody);
    const lastModifiedSeconds = Math.floor(Date.now() / msPerSecond);
    this.byName.set(DashboardName, { name: DashboardName, body: DashboardBody, lastModifiedSeconds });
    return { DashboardValidationMessages: [] };
  }

  get(input: unknown): object {
    const { DashboardName } = parse(get, input);
    const dashboard = this.required(DashboardName);
    return { DashboardArn: this.arn(dashboard), DashboardBody: dashboard.body, DashboardName };
  }

  list(input: unknown): object {
    const { DashboardNamePrefix = '' } = parse(list, input);
    const found = this.all().filter((one) => one.name.startsWith(DashboardNamePrefix));
    return {
      DashboardEntries: found.map((one) => ({
        DashboardName: one.name,
        DashboardArn: this.arn(one),
        LastModified: one.lastModifiedSeconds,
        Size: Buffer.byteLength(one.body),
      })),
    };
  }

  /** All or none: CloudWatch deletes nothing when one of the names does not exist. */
  delete(input: unknown): object {
    const { DashboardNames } = parse(remove, input);
    const names = DashboardNames.map((asked) => this.required(asked).name);
    for (const found of names) this.byName.delete(found);
    return {};
  }

  private required(asked: string): Dashboard {
    const dashboard = this.byName.get(asked);
    if (dashboard === undefined) {
      throw new ServiceError('DashboardNotFoundError', `Dashboard ${asked} does not exist`, 404);
    }
    return dashboard;
  }

  private arn(dashboard: Dashboard): string {
    return `arn:aws:cloudwatch::${this.account}:dashboard/${dashboard.name}`;
  }
}
