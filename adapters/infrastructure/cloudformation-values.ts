/**
 * What a template decides by itself: parameters with a default, mappings, conditions, and functions of those. The rest is unknown.
 * Source: CloudFormation user guide, "Intrinsic function reference", read 2026-11-28.
 */
import type { UnknownFigure } from '../../core/check/planned.ts';
import { known, unknown } from '../../core/known.ts';
import { sanitize } from '../../core/sanitize.ts';
import { unknownFigure, type Value } from './asked.ts';
import { isRecord, type JsonRecord, listOf, memberOf, recordOf, stringOf } from './json-values.ts';

/** A function within a function at most so often: one that names itself ends here. */
const deepest = 50;
/** No value that a template makes of others is longer. */
const longestText = 4096;

const functionOf = (value: unknown): { name: string; argument: unknown } | null => {
  if (!isRecord(value)) return null;
  const [name, ...more] = Object.keys(value);
  if (name === undefined || more.length > 0) return null;
  return name === 'Ref' || name === 'Condition' || name.startsWith('Fn::')
    ? { name, argument: value[name] }
    : null;
};

const textOf = (value: unknown): string | null => {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' ? value : null;
};

/** Of NoEcho: whatever is not clearly false makes a secret, as `yes`, "True" and 1. */
const isShown = (noEcho: unknown): boolean =>
  noEcho === undefined || ['false', 'no', '0'].includes(textOf(noEcho)?.trim().toLowerCase() ?? '');

export interface TemplateContext {
  /** Of the stack that nests this one, already resolved; without any: the defaults hold. */
  given: ReadonlyMap<string, Value>;
  region: string | null;
  account: string | null;
}

export class TemplateValues {
  private readonly parameters: JsonRecord;
  private readonly mappings: unknown;
  private readonly conditions: JsonRecord;
  private readonly resources: JsonRecord;
  private readonly context: TemplateContext;
  /** By name: one that is asked for while it is worked out is in a circle. */
  private readonly decided = new Map<string, Value>();

  constructor(template: JsonRecord, context: TemplateContext) {
    this.parameters = recordOf(template['Parameters']);
    this.mappings = template['Mappings'];
    this.conditions = recordOf(template['Conditions']);
    this.resources = recordOf(template['Resources']);
    this.context = context;
  }

  /** The value with the function at its top resolved; what is inside an object or a list stays as it is. */
  resolve(value: unknown, depth = 0): Value {
    if (depth > deepest) return unknownFigure('not-resolved', 'nested too deeply');
    if (typeof value === 'string' && value.includes('{{resolve:'))
      return unknownFigure('not-resolved', /\{\{(resolve:[\w-]+)/.exec(value)?.[1] ?? 'resolve');
    const called = functionOf(value);
    if (called === null) return known(value);
    const { name, argument } = called;
    if (name === 'Ref') return this.ref(argument);
    if (name === 'Fn::If') return this.choose(argument, depth + 1);
    if (name === 'Fn::FindInMap') return this.find(argument, depth + 1);
    if (name === 'Fn::Sub') return this.substitute(argument, depth + 1);
    if (name === 'Fn::Join') return this.join(argument, depth + 1);
    if (name === 'Fn::Select') return this.select(argument, depth + 1);
    if (name === 'Fn::Split') return this.split(argument, depth + 1);
    return unknownFigure('not-resolved', name);
  }

  private ref(argument: unknown): Value {
    if (typeof argument !== 'string') return unknownFigure('not-resolved', 'Ref');
    const { region, account, given } = this.context;
    if (argument === 'AWS::NoValue') return known(undefined);
    if (argument === 'AWS::Region' && region !== null) return known(region);
    if (argument === 'AWS::AccountId' && account !== null) return known(account);
    const parameter = Object.hasOwn(this.parameters, argument) ? this.parameters[argument] : undefined;
    if (!isRecord(parameter)) return unknownFigure('not-resolved', argument);
    // What it says is not to be shown: it is not kept.
    if (!isShown(memberOf(parameter, 'NoEcho'))) return unknownFigure('sensitive', argument);
    const passed = given.get(argument);
    if (passed !== undefined) return passed;
    const type = stringOf(parameter['Type']) ?? 'String';
    const isStored = type.startsWith('AWS::SSM::Parameter::Value');
    if (!Object.hasOwn(parameter, 'Default') || isStored) return unknownFigure('parameter', argument);
    const text = parameter['Default'];
    const isList = type === 'CommaDelimitedList' || type.startsWith('List<');
    return known(isList && typeof text === 'string' ? text.split(',').map((one) => one.trim()) : text);
  }

  private choose(argument: unknown, depth: number): Value {
    const [name, then, otherwise] = listOf(argument);
    const condition = this.holds({ Condition: name }, depth);
    if (condition.known) return this.resolve(condition.value === true ? then : otherwise, depth);
    const [one, other] = [this.resolve(then, depth), this.resolve(otherwise, depth)];
    const isSame = one.known && other.known && JSON.stringify(one.value) === JSON.stringify(other.value);
    return isSame ? one : unknownFigure('not-resolved', `condition ${textOf(name) ?? ''}`);
  }

  /** Whether a condition holds: a known true or false. */
  holds(condition: unknown, depth = 0): Value {
    if (depth > deepest) return unknownFigure('not-resolved', 'nested too deeply');
    const called = functionOf(condition);
    if (called === null) return unknownFigure('not-resolved', 'condition');
    const { name, argument } = called;
    if (name === 'Condition') {
      return this.conditionNamed(textOf(argument) ?? '', depth);
    }
    const inner = listOf(argument);
    if (name === 'Fn::Equals') return this.equals(inner, depth + 1);
    if (name === 'Fn::Not') {
      const [one] = inner;
      const holds = this.holds(one, depth + 1);
      return holds.known ? known(holds.value !== true) : holds;
    }
    if (name !== 'Fn::And' && name !== 'Fn::Or') return unknownFigure('not-resolved', name);
    // One that decides is enough, whatever is not known of the others.
    const decides = name === 'Fn::Or';
    const all = inner.map((one) => this.holds(one, depth + 1));
    if (all.some((one) => one.known && one.value === decides)) return known(decides);
    return all.find((one) => !one.known) ?? known(!decides);
  }

  private conditionNamed(name: string, depth: number): Value {
    const before = this.decided.get(name);
    if (before !== undefined) return before;
    const open = unknownFigure('not-resolved', `condition ${name}`);
    if (!Object.hasOwn(this.conditions, name)) return open;
    this.decided.set(name, open);
    const value = this.holds(this.conditions[name], depth + 1);
    this.decided.set(name, value);
    return value;
  }

  private equals([left, right]: readonly unknown[], depth: number): Value {
    const [one, other] = [this.resolve(left, depth), this.resolve(right, depth)];
    if (!one.known) return one;
    if (!other.known) return other;
    return known(textOf(one.value) === textOf(other.value));
  }

  private find(argument: unknown, depth: number): Value {
    const keys = listOf(argument)
      .slice(0, 3)
      .map((one) => this.resolve(one, depth));
    let at: unknown = this.mappings;
    for (const key of keys) {
      if (!key.known) return key;
      at = memberOf(at, textOf(key.value) ?? '');
    }
    if (at !== undefined) return known(at);
    const fallback = memberOf(listOf(argument)[3], 'DefaultValue');
    return fallback === undefined
      ? unknownFigure('not-resolved', 'Fn::FindInMap')
      : this.resolve(fallback, depth);
  }

  private substitute(argument: unknown, depth: number): Value {
    const [written, own] = Array.isArray(argument) ? argument : [argument, undefined];
    if (typeof written !== 'string') return unknownFigure('not-resolved', 'Fn::Sub');
    let missing: UnknownFigure | null = null;
    const text = written.replace(/\$\{(!?)([^}]{0,512})\}/g, (whole, literal: string, name: string) => {
      if (literal !== '') return `\${${name}}`;
      const value = this.resolve(memberOf(own, name) ?? { Ref: name }, depth);
      const found = value.known ? textOf(value.value) : null;
      if (found === null)
        missing ??= value.known ? { code: 'not-resolved', detail: sanitize(name) } : value.reason;
      return found ?? whole;
    });
    return missing === null ? known(text.slice(0, longestText)) : unknown(missing);
  }

  private listAt(value: unknown, depth: number): Value {
    const list = this.resolve(value, depth);
    if (!list.known) return list;
    if (!Array.isArray(list.value)) return unknownFigure('not-resolved', 'list');
    const values: unknown[] = [];
    for (const item of list.value) {
      const one = this.resolve(item, depth + 1);
      if (!one.known) return one;
      if (one.value !== undefined) values.push(one.value);
    }
    return known(values);
  }

  private join(argument: unknown, depth: number): Value {
    const [separator, items] = listOf(argument);
    const list = this.listAt(items, depth);
    if (!list.known) return list;
    const texts = listOf(list.value).map(textOf);
    return known(texts.join(textOf(separator) ?? '').slice(0, longestText));
  }

  private select(argument: unknown, depth: number): Value {
    const [index, items] = listOf(argument);
    const at = this.resolve(index, depth);
    if (!at.known) return at;
    const list = this.resolve(items, depth);
    if (!list.known) return list;
    const one = listOf(list.value)[Number(textOf(at.value) ?? Number.NaN)];
    return one === undefined ? unknownFigure('not-resolved', 'Fn::Select') : this.resolve(one, depth);
  }

  private split(argument: unknown, depth: number): Value {
    const [separator, written] = listOf(argument);
    const text = this.resolve(written, depth);
    if (!text.known) return text;
    const whole = textOf(text.value);
    return whole === null
      ? unknownFigure('not-resolved', 'Fn::Split')
      : known(whole.split(textOf(separator) ?? ','));
  }

  /** The logical id of the resource of this template that a value refers to; null where it is none. */
  resourceOf(value: unknown, depth = 0): string | null {
    const called = functionOf(value);
    if (called === null || depth > deepest) return null;
    const { name, argument } = called;
    if (name === 'Fn::If') {
      const [condition, then, otherwise] = listOf(argument);
      const holds = this.holds({ Condition: condition }, depth + 1);
      return holds.known ? this.resourceOf(holds.value === true ? then : otherwise, depth + 1) : null;
    }
    const parts = typeof argument === 'string' ? argument.split('.') : listOf(argument);
    const [id] = name === 'Ref' ? [argument] : parts;
    const isReference = name === 'Ref' || name === 'Fn::GetAtt';
    return isReference && typeof id === 'string' && Object.hasOwn(this.resources, id) ? id : null;
  }
}
