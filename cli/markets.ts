/** The instance types and prices that a command works with: refreshed on this machine, or those that come with it. */
import { cachedMarket } from '../adapters/files/cached-market.ts';
import { builtInMarket, type Market, type Markets } from '../core/catalogue/market.ts';

/** Each Region is read once, when it is first asked for. */
export function marketsHere(): Markets {
  const read = new Map<string, Market>();
  return (region) => {
    const market = read.get(region) ?? cachedMarket(region) ?? builtInMarket(region);
    read.set(region, market);
    return market;
  };
}
