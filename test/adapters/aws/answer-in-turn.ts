/** Answers one call after the other, and keeps what was asked as it was then: paginators change their input. */
interface Mocked<Input> {
  callsFake(answer: (input: Input) => unknown): unknown;
}

/** @returns what was asked, in order; an answer that is an Error is thrown. */
export function answerInTurn<Input extends object>(
  mocked: Mocked<Input>,
  answers: readonly object[],
): Input[] {
  const asked: Input[] = [];
  mocked.callsFake((input) => {
    asked.push({ ...input });
    const answer = answers[asked.length - 1];
    if (answer === undefined) throw new Error(`call ${asked.length} has no answer`);
    if (answer instanceof Error) throw answer;
    return answer;
  });
  return asked;
}
