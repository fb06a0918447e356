import { z } from 'zod';

/** The id of a workspace (T...) or of an Enterprise organization (E...), as Slack gives it to whoever presses a button. */
export const slackTeamIdSchema = z.string().regex(/^[TE][A-Z0-9]{2,20}$/);
