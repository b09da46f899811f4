"""Which processes make the job: rendezvous, the coordinator, heartbeats, the process group, exit status."""
