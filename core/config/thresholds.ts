/** Which words of the audit a configuration may set other figures for. */
import { z } from 'zod';

export const thresholdsSchema = z.strictObject({});
