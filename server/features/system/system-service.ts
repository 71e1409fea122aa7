import type { ActivityTrend, StorageGrowth, SystemState } from '#shared/contract/system.ts';
import type { Database } from '#server/db/database.ts';
import { listPools } from '#server/queue/pools.ts';
import { readQueue } from '#server/queue/queue-facts.ts';
import { readMaintenance } from './maintenance-service.ts';
import { readRunTimes, readTrend } from './run-times.ts';
import { deleteServer, listServers, otherVersions, writeHeartbeat, type Heartbeat } from './servers-repository.ts';
import { readStorageGrowth } from './storage-growth.ts';

export interface SystemService {
  state(): Promise<SystemState>;
  trend(activityId: number): Promise<ActivityTrend>;
  storage(): Promise<StorageGrowth>;
  /** Writes a heartbeat of this process. Returns whether it must drain. */
  recordHeartbeat(heartbeat: Heartbeat): Promise<boolean>;
  /** Deletes the row of a server that shuts down normally. */
  leave(serverId: string): Promise<void>;
  maintenance(): Promise<string | null>;
  /** Returns other versions than this one that are active on the same database. */
  otherVersions(version: string): Promise<string[]>;
}

/** @param folder folder of the file store; null for a bucket */
export function createSystemService(database: Database, folder: string | null): SystemService {
  return {
    trend: (activityId) => readTrend(database, activityId),
    storage: () => readStorageGrowth({ database, folder }),
    state: async () => {
      const [servers, queue, pools, times, text] = await Promise.all([
        listServers(database),
        readQueue(database),
        listPools(database),
        readRunTimes(database),
        readMaintenance(database),
      ]);
      const { pending, oldestSeconds, lateSchedules } = queue;
      return {
        Maintenance: text,
        Servers: servers.map(({ StartedTime, LastTime, ...server }) => ({
          ...server,
          Pools: server.Pools.split(',').filter(Boolean),
          StartedTime: StartedTime.toISOString(),
          LastTime: LastTime.toISOString(),
        })),
        Queue: {
          Queued: pending.Queued,
          Running: pending.PickedUp + pending.Started,
          Waiting: pending.QueuedInSeq,
          OldestSeconds: oldestSeconds,
          LateSchedules: lateSchedules,
        },
        Pools: pools,
        LookedAt: times.sample,
        Activities: times.activities,
        Failures: times.failures,
      };
    },
    recordHeartbeat: (heartbeat) => writeHeartbeat(database, heartbeat),
    leave: (serverId) => deleteServer(database, serverId),
    maintenance: () => readMaintenance(database),
    otherVersions: (version) => otherVersions(database, version),
  };
}
