import { pulseMetricsShare } from './pulse.ts';
for (const m of pulseMetricsShare(Number(process.argv[2]))) console.log(`${m.name}: ${m.value} ${m.unit}\n   ${m.conditions}`);
console.log(Math.round(process.resourceUsage().maxRSS/1024),'MiB');
