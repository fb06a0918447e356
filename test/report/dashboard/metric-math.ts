/**
 * CloudWatch metric math at one time, as far as the dashboards use it: numbers, ids, + - * /, < and >, brackets, CEIL,
 * IF, PERIOD. Anything else is an error, as it is in CloudWatch.
 */

/** The value of each id, and the period that PERIOD(id) answers. */
export interface Scope {
  values: Readonly<Record<string, number>>;
  periodSeconds: number;
}

const token = /\s*(?:(\d+(?:\.\d+)?)|([a-z][A-Za-z0-9_]*)|([A-Z]+)|([-+*/<>(),]))/y;

function tokensOf(expression: string): string[] {
  const tokens: string[] = [];
  for (token.lastIndex = 0; token.lastIndex < expression.trimEnd().length; ) {
    const at = token.lastIndex;
    const [, ...found] = token.exec(expression) ?? [];
    const text = found.find((one) => one !== undefined);
    if (text === undefined) throw new Error(`not metric math at ${at}: ${expression}`);
    tokens.push(text);
  }
  return tokens;
}

class Reader {
  private at = 0;
  private readonly tokens: string[];
  private readonly scope: Scope;

  constructor(expression: string, scope: Scope) {
    this.tokens = tokensOf(expression);
    this.scope = scope;
  }

  whole(): number {
    const value = this.comparison();
    if (this.at < this.tokens.length) throw new Error(`"${this.tokens[this.at]}" is too much`);
    return value;
  }

  private takeIf(...demand: string[]): string | null {
    const next = this.tokens[this.at];
    if (next === undefined || !demand.includes(next)) return null;
    this.at++;
    return next;
  }

  private take(demand: string): void {
    if (this.takeIf(demand) === null)
      throw new Error(`"${demand}" is missing before "${this.tokens[this.at]}"`);
  }

  private comparison(): number {
    const left = this.sum();
    const operator = this.takeIf('<', '>');
    if (operator === null) return left;
    const right = this.sum();
    return Number(operator === '<' ? left < right : left > right);
  }

  private sum(): number {
    let value = this.product();
    for (let operator = this.takeIf('+', '-'); operator !== null; operator = this.takeIf('+', '-')) {
      const next = this.product();
      value = operator === '+' ? value + next : value - next;
    }
    return value;
  }

  private product(): number {
    let value = this.operand();
    for (let operator = this.takeIf('*', '/'); operator !== null; operator = this.takeIf('*', '/')) {
      const next = this.operand();
      value = operator === '*' ? value * next : value / next;
    }
    return value;
  }

  private operand(): number {
    if (this.takeIf('-') !== null) return -this.operand();
    if (this.takeIf('(') !== null) {
      const value = this.comparison();
      this.take(')');
      return value;
    }
    const next = this.tokens[this.at++] ?? '';
    if (/^\d/.test(next)) return Number(next);
    if (/^[A-Z]/.test(next)) return this.called(next);
    return this.valueOf(next);
  }

  private called(name: string): number {
    this.take('(');
    if (name === 'PERIOD') {
      this.valueOf(this.tokens[this.at++] ?? '');
      this.take(')');
      return this.scope.periodSeconds;
    }
    const args = [this.comparison()];
    while (this.takeIf(',') !== null) args.push(this.comparison());
    this.take(')');
    const [first = Number.NaN, second = Number.NaN, third = Number.NaN] = args;
    if (name === 'CEIL' && args.length === 1) return Math.ceil(first);
    if (name === 'IF' && args.length === 3) return first !== 0 ? second : third;
    throw new Error(`${name} of ${args.length} is none that the dashboards use`);
  }

  private valueOf(id: string): number {
    const value = this.scope.values[id];
    if (value === undefined) throw new Error(`"${id}" is no id of this chart`);
    return value;
  }
}

/** @throws where it is no metric math, or names an id that is not there. */
export const evaluate = (expression: string, scope: Scope): number => new Reader(expression, scope).whole();
