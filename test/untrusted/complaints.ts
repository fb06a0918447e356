/** What is wrong with a text in the place that it went to, a few words each. */

/** Control characters, direction marks, what is invisible, half characters: all that moves or hides what is beside it. */
export const restless = /[\p{C}\p{Zl}\p{Zp}]/u;

export const complaintsIf = (...claims: (readonly [boolean, string])[]): string[] =>
  claims.flatMap(([isWrong, what]) => (isWrong ? [what] : []));
