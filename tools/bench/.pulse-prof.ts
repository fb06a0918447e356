import { pulseFleet } from './pulse-fleet.ts';
import { runPulse } from './pulse-run.ts';
const fleet=pulseFleet(1); const t=Date.now();
const run=runPulse(fleet,{everyMinutes:1,budget:null,lastMinute:3*1440});
console.log((Date.now()-t)/1000,run.looks,run.metrics);
