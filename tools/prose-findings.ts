/**
 * Prose in core: core/ has codes and figures, report/wording and report/steps have the sentences. A literal, a template
 * or joined pieces of four words or more are prose, except in errors, in descriptions of schemas and in messages of
 * checks of input.
 */
import ts from 'typescript';

const maxWords = 3;

/** Files whose strings are no words about findings, recommendations, plans or campaigns; a folder ends with a slash. */
const exempt = new Map([
  ['core/config/', 'what is wrong in a configuration file'],
  ['core/limits/volume-limits.ts', 'what is wrong with a volume configuration'],
  ['core/plan/layout-file.ts', 'what is wrong in a layout file'],
  ['core/archive/saved-queries.ts', 'SQL'],
  ['core/archive/views.ts', 'SQL'],
  ['core/archive/fleet-weeks.ts', 'SQL'],
  ['core/archive/week-tables.ts', 'SQL'],
  ['core/audit/selected-resources.ts', 'what is wrong with --resource'],
  ['core/benchmark/campaign/preflight.ts', 'why a request is refused'],
  ['core/benchmark/campaign/preflight.ts', 'why a request is refused'],
  ['core/benchmark/campaign/request.ts', 'what is wrong in a request'],
  ['core/catalog/region-catalog.ts', 'what is wrong with an instance type'],
  ['core/demand/awr-report.ts', 'names of lines in a report of Oracle'],
  ['core/plan/step-commands.ts', 'commands'],
  ['core/plan/steps.ts', 'commands'],
  ['core/schemas/evidence.ts', 'descriptions of a schema, made by functions'],
]);

export const isExempt = (file: string): boolean =>
  [...exempt.keys()].some((one) => (one.endsWith('/') ? file.startsWith(one) : file === one));

export const exemptPaths = [...exempt.keys()];

/** Calls whose texts describe a schema or say what is wrong with an input. */
const ofSchemas = new Set(['meta', 'describe', 'regex', 'refine', 'superRefine', 'addIssue', 'check']);
const errors = /(Error|BadInput|Configuration|Unavailable|Unreadable)$/;

function isAllowedIn(node: ts.Node): boolean {
  if (ts.isThrowStatement(node) || ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return true;
  if (ts.isNewExpression(node)) return errors.test(node.expression.getText());
  if (!ts.isCallExpression(node)) return false;
  const { expression } = node;
  return ts.isPropertyAccessExpression(expression) && ofSchemas.has(expression.name.text);
}

const isText = (node: ts.Node): node is ts.StringLiteralLike | ts.TemplateExpression =>
  ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);
const isJoin = (node: ts.Node): node is ts.BinaryExpression =>
  ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken;
const isJoinedList = (node: ts.Node): node is ts.CallExpression =>
  ts.isCallExpression(node) &&
  ts.isPropertyAccessExpression(node.expression) &&
  node.expression.name.text === 'join' &&
  ts.isArrayLiteralExpression(node.expression.expression);

/** What stands for a value in a text: it is no word. */
const value = '\u0000';

/** The texts of a node as one, as a person would read them. */
function textOf(node: ts.Node): string {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node)) {
    const spans = node.templateSpans.map((span) => textOf(span.expression) + span.literal.text);
    return node.head.text + spans.join('');
  }
  if (isJoin(node)) return textOf(node.left) + textOf(node.right);
  if (isJoinedList(node)) {
    const list = (node.expression as ts.PropertyAccessExpression).expression as ts.ArrayLiteralExpression;
    return list.elements.map(textOf).join(' ');
  }
  if (ts.isParenthesizedExpression(node)) return textOf(node.expression);
  if (ts.isConditionalExpression(node)) return `${textOf(node.whenTrue)} ${textOf(node.whenFalse)}`;
  return value;
}

const isWord = (token: string): boolean => /^["'(`]*[A-Za-z][A-Za-z'’-]*["')`.,;:!?]*$/.test(token);
/** What a shell reads is no prose. */
const isCommand = (text: string): boolean => /^(aws|sudo|lsblk|mount) | --[a-z]/.test(text);

export interface Prose {
  line: number;
  text: string;
}

/** @param source TypeScript, in core. */
export function proseIn(file: string, source: string): Prose[] {
  const parsed = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const found: Prose[] = [];
  const visit = (node: ts.Node): void => {
    if (isAllowedIn(node)) return;
    if (isText(node) || isJoin(node) || isJoinedList(node)) {
      const text = textOf(node);
      const words = text.replaceAll(value, ' . ').split(/\s+/).filter(isWord);
      if (words.length > maxWords && !isCommand(text)) {
        const { line } = parsed.getLineAndCharacterOfPosition(node.getStart());
        found.push({ line: line + 1, text: text.replaceAll(value, '…') });
        return;
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(parsed);
  return found;
}
