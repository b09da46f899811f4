"""The process: context, devices and meshes, host-device transfer, compile cache, profiling, graph dumps."""
