/** The package brings no types of its own. */
declare module 'asl-validator' {
  interface Validated {
    isValid: boolean;
    errorsText(separator?: string): string;
  }
  const validate: (definition: unknown, options?: { checkPaths?: boolean; checkArn?: boolean }) => Validated;
  export default validate;
}
