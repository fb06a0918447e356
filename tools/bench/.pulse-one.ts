import { pulseFleet } from './pulse-fleet.ts';
import { truthOf } from './pulse-truth.ts';
import { answer } from './pulse-cloudwatch.ts';
import { afterLook } from '../../core/pulse/after-look.ts';
import { planTick, newWatches } from '../../core/pulse/plan-tick.ts';
import { nearnessOf,dueOfParts } from '../../core/pulse/next-look.ts';
import { startEpochSeconds as S } from './two-pass-series.ts';
const [id,from,to,seed]=[process.argv[2]!,+process.argv[3]!,+process.argv[4]!,+(process.argv[5]??1)];
const f=pulseFleet(seed).find(x=>x.volume.volumeId.endsWith(id))!;
console.log(f.group,f.volume.volumeType,f.volume.sizeGiB,f.volume.iops,f.checks.length);
const pf={volumes:new Map([[f.volume.volumeId,f.volume]]),published:{[f.volume.volumeId]:f.checks}};
let [w]=newWatches([f.volume],()=>false,S);
const h=f.history; const top=f.volume.iops??1;
for(let m=1;m<=to;m++)for(let r=0;r<2;r++){const now=S+m*60+r*5; if(w!.nextLookEpochSeconds>now)break;
 const p=planTick([w!],pf,{nowEpochSeconds:now,tickSeconds:60,budget:null}); const l=p.looks[0]; if(!l){w=p.unwatched[0]!;continue;}
 const a=afterLook(l.watch,l.watched,l.look,answer(f,l.look.queries,l.look.fromEpochSeconds,now),{nowEpochSeconds:now,tickSeconds:60,advising:()=>({known:false,because:'x'})});
 w=a.watch;
 if(m>=from){const n=nearnessOf(w,now);console.log(m,r,l.look.parts.join('+'),'near',n.share.toFixed(2),'susp',w.suspect,'iops',h.iops[m-3]?.toFixed(0),'mib',h.mibps[m-3]?.toFixed(0),'q',h.inFlight[m-3]?.toFixed(2),'q@',w.queueAtLimit?.toFixed(2),'held',h.held[m-3],'bal',h.balance?.[m-3]?.toFixed(1),'next',(w.nextLookEpochSeconds-S)/60,a.sightings.map(s=>s.finding?s.finding.kind+' '+s.finding.severity:'-').join(','));}
}
console.log(w!.hours);console.log(JSON.stringify(w));
