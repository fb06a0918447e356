/** What everything that a campaign makes carries, so that it can be found and removed whatever became of the campaign. */
export const campaignTag = 'stripewise:campaign';
export const cellTag = 'stripewise:cell';
/** ISO 8601 UTC: from then on it is nobody's. */
export const expiresTag = 'stripewise:expires';

/**
 * EC2 puts it on what is launched from a template, and keeps keys that begin with `aws:` for itself: it tells hosts of a stack
 * from whatever carries the tags above. Source: EC2 user guide, "Tag restrictions", read 2026-11-24.
 */
export const launchTemplateTag = 'aws:ec2launchtemplate:id';

export const tagsOf = (
  campaignId: string,
  cellId: string,
  expiresAt: string,
): Readonly<Record<string, string>> => ({
  [campaignTag]: campaignId,
  [cellTag]: cellId,
  [expiresTag]: expiresAt,
  Name: `stripewise ${campaignId} ${cellId}`,
});
