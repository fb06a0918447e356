/** Patterns of parameters of Systems Manager that let nothing through but plain values, whoever matches them. */

/** What a value may be made of: none of it means anything to a shell, in quotes or out of them. */
const plain = /[A-Za-z0-9=/:,._%-]/;
const notPlain = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)).filter(
  (character) => !plain.test(character),
);

/** A class, an escape, the start of a group, a quantifier; or one character. */
const piece = /\[(?:\\.|[^\]\\])*\]|\\.|\(\?:|\(\?|\{\d+(?:,\d*)?\}|[*+?]|./g;

function checkCharacter(text: string): void {
  const one = new RegExp(`^${text}$`, 'u');
  const bad = notPlain.find((character) => one.test(character));
  if (bad !== undefined) throw new Error(`"${text}" lets ${JSON.stringify(bad)} through`);
}

/** Each piece on its own: values are made of what the pieces take, so no value has a character that none of them takes. */
function checkPieces(body: string): void {
  let depth = 0;
  for (const [text] of body.matchAll(piece)) {
    if (text === '(?') throw new Error('it looks around or sets a flag, which not every engine can');
    if (text === '^' || text === '$') throw new Error(`"${text}" stands in the middle`);
    if (text === '|' && depth === 0)
      throw new Error('"^" and "$" hold for one alternative each; put them all into a group');
    if (text.startsWith('(')) depth += 1;
    else if (text === ')') depth -= 1;
    else if (!/^(?:[|*+?]|\{.+)$/.test(text)) checkCharacter(text);
  }
}

/**
 * A pattern, to match whole values with. It can be proved to take letters, digits and = / : , . _ % - alone, since it may
 * have nothing but such characters, classes of them, groups, alternatives in groups and quantifiers between "^" and "$".
 *
 * Assumed is that SendCommand searches for allowedPattern or matches it as a whole; AWS does not say which, and "^" and "$"
 * make them the same. One difference is left: "$" also stands before a newline at the very end of a value for Java that
 * searches, and for Python; not for JavaScript, for Go (the agent), or for Java that matches. Then a value could end in a
 * newline. In single quotes that is still a value, and scripts look at their parameters themselves.
 *
 * @throws Error that says what is wrong with it.
 */
export function safePattern(pattern: string): RegExp {
  try {
    if (!pattern.startsWith('^') || !pattern.endsWith('$'))
      throw new Error('it must begin with "^" and end with "$"');
    const body = pattern.slice(1, -1);
    if (/[^ -~]|\\[A-Za-z0-9]/.test(body))
      throw new Error(
        'it has an escape with a letter or a digit, or a character that is not ASCII: write [0-9] for \\d',
      );
    // As one, before its pieces are looked at: what is no pattern has no pieces.
    const whole = new RegExp(`^(?:${body})$`, 'u');
    checkPieces(body);
    return whole;
  } catch (error) {
    throw new Error(`allowedPattern ${pattern}: ${(error as Error).message}`, { cause: error });
  }
}
