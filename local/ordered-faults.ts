/** Faults that somebody orders of a local server, and that calls use up. */
import { z } from 'zod';
import { BadRequest, parseJson } from './http.ts';

export class OrderedFaults<Fault extends { times: number }> {
  private faults: Fault[] = [];
  private readonly schema: z.ZodType<Fault>;

  /** @param schema of one; `times` is how many calls it is for, -1 for ever. */
  constructor(schema: z.ZodType<Fault>) {
    this.schema = schema;
  }

  /** @throws BadRequest where the text is none. */
  add(text: string): void {
    const parsed = this.schema.safeParse(parseJson(text));
    if (!parsed.success) throw new BadRequest(z.prettifyError(parsed.error));
    this.faults.push(parsed.data);
  }

  clear(): void {
    this.faults = [];
  }

  /** The first that is left; it is used up by one. */
  take(): Fault | undefined {
    const fault = this.faults.find(({ times }) => times !== 0);
    if (fault !== undefined && fault.times > 0) fault.times--;
    return fault;
  }
}
