/** An error as the SDK throws it for a reply of AWS. */
export function awsError(
  name: string,
  message: string,
  httpStatusCode = 400,
  attempts = 1,
): Error & { $metadata: { httpStatusCode: number; attempts: number } } {
  return Object.assign(new Error(message), { name, $metadata: { httpStatusCode, attempts } });
}
