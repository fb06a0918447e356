/** An error as AWS's JSON protocols give it: named by the exception's shape, so that the SDK raises it by that name. */
export class ServiceError extends Error {
  readonly shape: string;
  readonly status: number;
  /** Members of the exception besides its message. */
  readonly details: Record<string, unknown>;

  constructor(shape: string, message: string, status = 400, details: Record<string, unknown> = {}) {
    super(message);
    this.shape = shape;
    this.status = status;
    this.details = details;
  }
}
