/**
 * Phrases that name options of the command line, and what the assistant's server says instead: arguments of its tools.
 * The sentences stand elsewhere; a test finds each phrase in them.
 */
export const toolPhrases: readonly (readonly [ofCommand: string, ofServer: string])[] = [
  ['(--lookback-days 1 --period-seconds 60)', '(explain, at a time)'],
  ['--load (', 'load ('],
  ['its Region is not known (--region)', 'its Region is not known (region)'],
  ['its Region is not known; give --region', 'its Region is not known; give region'],
  ['Give --region.', 'Give region.'],
  ['or give --until where its manifests cannot be read', 'or ask at a time (at)'],
];

/** A command that is cited in backticks is for a person to run, and stays as it is. */
export const inToolWords = (text: string): string =>
  toolPhrases.reduce((said, [ofCommand, ofServer]) => said.replaceAll(ofCommand, ofServer), text);
