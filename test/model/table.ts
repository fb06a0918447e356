/** A table of DynamoDB in memory, to the adapters a document client: conditions, updates, and indexes that are never behind. */
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  ScanCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';

type Item = Record<string, unknown>;
type Step = <T>(name: string, effect: () => T) => Promise<T>;

/** What a command says of conditions and changes. */
interface Expressions {
  ConditionExpression?: string | undefined;
  KeyConditionExpression?: string | undefined;
  UpdateExpression?: string | undefined;
  ExpressionAttributeNames?: Record<string, string> | undefined;
  ExpressionAttributeValues?: Item | undefined;
}

/** As it comes back from DynamoDB: another object, without what is undefined. */
const stored = <T>(item: T): T => JSON.parse(JSON.stringify(item)) as T;

const comparisons: Record<string, (a: never, b: never) => boolean> = {
  '=': (a, b) => a === b,
  '<>': (a, b) => a !== b,
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
};

/** Of expressions what the adapters use: no brackets, and OR above AND. */
class Evaluated {
  private readonly of: Expressions;
  private readonly item: Readonly<Item>;

  constructor(of: Expressions, item: Readonly<Item>) {
    this.of = of;
    this.item = item;
  }

  private value(word: string): unknown {
    if (word.startsWith(':')) return this.of.ExpressionAttributeValues?.[word];
    const orElse = /^if_not_exists\((\S+),\s*(\S+)\)$/.exec(word);
    if (orElse !== null) return this.value(`${orElse[1]}`) ?? this.value(`${orElse[2]}`);
    return this.item[this.name(word)];
  }

  private name(word: string): string {
    return word.startsWith('#') ? (this.of.ExpressionAttributeNames?.[word] ?? word) : word;
  }

  private term(text: string): boolean {
    const [, is, attribute] = /^attribute_(not_exists|exists)\((\S+)\)$/.exec(text) ?? [];
    if (attribute !== undefined) return (this.value(attribute) !== undefined) === (is === 'exists');
    const [, left = '', sign = '', right = ''] = /^(\S+) (=|<>|<=?|>=?) (\S+)$/.exec(text) ?? [];
    const compare = comparisons[sign];
    if (compare === undefined) throw new Error(`the table in memory does not know: ${text}`);
    const [a, b] = [this.value(left), this.value(right)];
    return a !== undefined && b !== undefined && compare(a as never, b as never);
  }

  holds(condition: string | undefined): boolean {
    const all = (text: string): boolean => text.split(/\s+AND\s+/).every((term) => this.term(term.trim()));
    return condition === undefined || condition.split(/\s+OR\s+/).some(all);
  }

  updated(): Item {
    const item = { ...this.item };
    const clauses = `${this.of.UpdateExpression}`.split(/\s*\b(SET|ADD|REMOVE)\s+/).slice(1);
    for (let at = 0; at < clauses.length; at += 2) {
      for (const change of `${clauses[at + 1]}`.split(/,\s*(?![^(]*\))/)) {
        const [name = '', ...rest] = change.trim().split(/\s*=\s*|\s+/);
        const key = this.name(name);
        if (clauses[at] === 'REMOVE') delete item[key];
        else if (clauses[at] === 'SET') item[key] = this.value(change.slice(change.indexOf('=') + 1).trim());
        else item[key] = Number(item[key] ?? 0) + Number(this.value(`${rest[0]}`));
      }
    }
    return item;
  }
}

export class Table {
  readonly items = new Map<string, Item>();
  private readonly key: string;

  constructor(key: string) {
    this.key = key;
  }

  /** @param step what each call of it is: whoever calls may die there. */
  client(step: Step): DynamoDBDocumentClient {
    const send = (command: object) => step(command.constructor.name, () => this.answer(command));
    return Object.assign(Object.create(DynamoDBDocumentClient.prototype), { send }) as DynamoDBDocumentClient;
  }

  /** As it lies here: nobody changes it. */
  private here(key: Item): Readonly<Item> | undefined {
    return this.items.get(`${key[this.key]}`);
  }

  private at(key: Item): Item | undefined {
    const item = this.here(key);
    return item && stored(item);
  }

  private change(key: Item, of: Expressions, after: Item | null): void {
    if (!new Evaluated(of, this.here(key) ?? {}).holds(of.ConditionExpression))
      throw new ConditionalCheckFailedException({ message: 'not as it was', $metadata: {} });
    if (after === null) this.items.delete(`${key[this.key]}`);
    else this.items.set(`${key[this.key]}`, stored(after));
  }

  private answer(command: object): object {
    if (command instanceof PutCommand) {
      const { Item = {}, ...of } = command.input;
      this.change(Item, of, Item);
      return {};
    }
    if (command instanceof UpdateCommand) {
      const { Key = {}, ...of } = command.input;
      const before = this.here(Key);
      const updated = new Evaluated(of, { ...before, ...Key }).updated();
      this.change(Key, of, updated);
      const attributes = of.ReturnValues === 'ALL_OLD' ? before : updated;
      return { Attributes: attributes && stored(attributes) };
    }
    if (command instanceof DeleteCommand) {
      const { Key = {}, ...of } = command.input;
      this.change(Key, of, null);
      return {};
    }
    if (command instanceof GetCommand) return { Item: this.at(command.input.Key ?? {}) };
    if (command instanceof BatchGetCommand) {
      const [[table = '', { Keys = [] } = {}] = []] = Object.entries(command.input.RequestItems ?? {});
      return { Responses: { [table]: Keys.flatMap((key) => this.at(key) ?? []) } };
    }
    if (command instanceof QueryCommand || command instanceof ScanCommand) {
      const condition =
        command instanceof QueryCommand
          ? command.input.KeyConditionExpression
          : command.input.FilterExpression;
      const found = [...this.items.values()].filter((item) =>
        new Evaluated(command.input as Expressions, item).holds(condition),
      );
      return { Items: found.map(stored) };
    }
    throw new Error(`the table in memory does not know ${command.constructor.name}`);
  }
}
