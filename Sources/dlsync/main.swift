print("dlsync")
