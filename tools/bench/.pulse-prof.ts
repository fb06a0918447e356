import { pulseFleet } from './pulse-fleet.ts';
import { runPulse } from './pulse.ts';
let t=Date.now();
const fleet=pulseFleet(1); 
console.log((Date.now()-t)/1000);t=Date.now();
const run=runPulse(fleet,{everyMinutes:1,budget:null,lastMinute:1440});
console.log((Date.now()-t)/1000,run.looks,run.metrics,run.metricsOfPart,run.calls);
