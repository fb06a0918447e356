/** An error as the SDK throws it for a reply of AWS. */
export function awsError(
  name: string,
  message: string,
  httpStatusCode = 400,
  attempts = 1,
): Error & { $metadata: { httpStatusCode: number; attempts: number } } {
  const $fault = httpStatusCode < 500 ? ('client' as const) : ('server' as const);
  return Object.assign(new Error(message), { name, $fault, $metadata: { httpStatusCode, attempts } });
}
