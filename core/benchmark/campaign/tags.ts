/** What everything that a campaign makes carries, so that it can be found and taken away whatever became of the campaign. */
export const campaignTag = 'stripewise:campaign';
export const cellTag = 'stripewise:cell';
/** ISO 8601 UTC: from then on it is nobody's. */
export const expiresTag = 'stripewise:expires';

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
